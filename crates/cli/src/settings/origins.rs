//! `origins` and `hosts` of `[server]`: they are compared with headers of browsers, so they are
//! normalised like those, and values that could never match are refused.

use std::net::IpAddr;

use serde::de::Error;
use serde::{Deserialize, Deserializer};
use url::{Host, Url};

/// Pages, each as scheme, host and port.
pub(super) fn pages<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<String>, D::Error> {
    each(
        from,
        page,
        "pages like `https://example.com` or `http://localhost:3000`, each by its name",
    )
}

/// Names of a server.
pub(super) fn hosts<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<String>, D::Error> {
    each(from, name, "host names like `example.com`, without scheme and port")
}

fn each<'de, D: Deserializer<'de>>(
    from: D,
    read: fn(&str) -> Option<String>,
    expected: &str,
) -> Result<Vec<String>, D::Error> {
    let texts = Vec::<String>::deserialize(from)?;
    let wrong = |text: &String| D::Error::custom(format!("expected {expected}, found {text:?}"));
    texts.iter().map(|text| read(text).ok_or_else(|| wrong(text))).collect()
}

/// Removes a final slash and the default port, as browsers do.
fn page(text: &str) -> Option<String> {
    let url = Url::parse(text).ok()?;
    let host = url.host_str().filter(|host| !host.is_empty() && !host.contains('*'))?;
    let is_bare = matches!(url.path(), "" | "/")
        && url.query().is_none()
        && url.fragment().is_none()
        && url.username().is_empty()
        && url.password().is_none();
    let port = url.port().map(|port| format!(":{port}")).unwrap_or_default();
    is_bare.then(|| format!("{}://{host}{port}", url.scheme()))
}

fn name(text: &str) -> Option<String> {
    if let Ok(address) = text.parse::<IpAddr>() {
        return Some(address.to_string());
    }
    match Host::parse(text).ok()? {
        Host::Domain(name) if !name.contains('*') => Some(name),
        Host::Domain(_) => None,
        Host::Ipv4(address) => Some(address.to_string()),
        Host::Ipv6(address) => Some(address.to_string()),
    }
}

#[cfg(test)]
#[path = "origins_tests.rs"]
mod tests;
