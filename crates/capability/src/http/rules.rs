//! Which URLs are allowed: declared hosts, over TLS, without user info, not at a private address.

use std::net::IpAddr;
use std::sync::Arc;

use url::{Host, Url};

use super::address::is_public;
use super::fault::{HttpFault, HttpSetupError};
use super::options::HttpOptions;

/// Servers seldom accept more, and refusals quote from it.
const MAX_URL_BYTES: usize = 8 * 1024;

const PLAIN: &str = "use https, or add the host to `allow_plain` of [http] in aileron.toml";

/// The parsed options about hosts.
#[derive(Debug)]
pub(super) struct Rules {
    allow_private: Arc<[Host]>,
    allow_plain: Arc<[Host]>,
}

impl Rules {
    pub(super) fn new(options: &HttpOptions) -> Result<Self, HttpSetupError> {
        Ok(Self { allow_private: options.private_hosts()?, allow_plain: options.plain_hosts()? })
    }

    /// Parses a URL that a handler wrote, and checks it.
    pub(super) fn admit(&self, declared: &[String], written: &str) -> Result<Url, HttpFault> {
        let url = parse(written)?;
        self.check(declared, &url)?;
        Ok(url)
    }

    /// Checks all of a URL except the addresses its name resolves to; the resolver checks those.
    pub(super) fn check(&self, declared: &[String], url: &Url) -> Result<(), HttpFault> {
        let Some(host) = url.host().map(|host| host.to_owned()) else {
            return Err(HttpFault::refused("expected a URL with a host"));
        };
        self.check_scheme(url, &host)?;
        check_user_info(url)?;
        check_declared(declared, url, &host)?;
        self.check_literal(&host)
    }

    /// Parses a URL for a look, on any public host.
    pub(super) fn admit_look(&self, written: &str) -> Result<Url, HttpFault> {
        let url = parse(written)?;
        self.check_look(&url)?;
        Ok(url)
    }

    /// A look sends no secret, so it may go without TLS.
    pub(super) fn check_look(&self, url: &Url) -> Result<(), HttpFault> {
        let Some(host) = url.host().map(|host| host.to_owned()) else {
            return Err(HttpFault::refused("expected a URL with a host"));
        };
        match url.scheme() {
            "http" | "https" => {}
            other => {
                return Err(HttpFault::refused(format!(
                    "expected an http(s) URL, found `{other}`"
                )));
            }
        }
        check_user_info(url)?;
        self.check_literal(&host)
    }

    fn check_scheme(&self, url: &Url, host: &Host) -> Result<(), HttpFault> {
        match url.scheme() {
            "https" => Ok(()),
            "http" if self.allow_plain.contains(host) => Ok(()),
            "http" => {
                Err(HttpFault::refused(format!("plain http to `{host}` is not allowed; {PLAIN}")))
            }
            other => Err(HttpFault::refused(format!("expected an https URL, found `{other}`"))),
        }
    }

    /// An address written in the URL is never resolved, so it is checked here.
    fn check_literal(&self, host: &Host) -> Result<(), HttpFault> {
        let address: IpAddr = match host {
            Host::Domain(_) => return Ok(()),
            Host::Ipv4(v4) => (*v4).into(),
            Host::Ipv6(v6) => (*v6).into(),
        };
        let allowed = is_public(address) || self.allow_private.contains(host);
        if allowed { Ok(()) } else { Err(HttpFault::not_public(&host.to_string())) }
    }
}

fn parse(written: &str) -> Result<Url, HttpFault> {
    if written.len() > MAX_URL_BYTES {
        return Err(HttpFault::refused(format!("the URL has more than {MAX_URL_BYTES} bytes")));
    }
    let url = Url::parse(written);
    url.map_err(|error| HttpFault::refused(format!("expected a whole URL: {error}")))
}

fn check_user_info(url: &Url) -> Result<(), HttpFault> {
    if url.username().is_empty() && url.password().is_none() {
        return Ok(());
    }
    Err(HttpFault::refused("the URL holds a user name or password; send a header instead"))
}

fn check_declared(declared: &[String], url: &Url, host: &Host) -> Result<(), HttpFault> {
    if declared.iter().any(|entry| covers(entry, url, host)) {
        return Ok(());
    }
    let place = authority(url);
    Err(HttpFault::refused(format!(
        "`{place}` is not declared; add \"http:{place}\" to the tool's capabilities"
    )))
}

/// Whether a declared `host` or `host:port` matches the URL. Without a port it means the scheme's
/// default.
fn covers(entry: &str, url: &Url, host: &Host) -> bool {
    let (name, port) = split_port(entry);
    let same_port = match port {
        None => url.port().is_none(),
        Some(_) => url.port_or_known_default() == port,
    };
    same_port && Host::parse(name).as_ref() == Ok(host)
}

fn split_port(entry: &str) -> (&str, Option<u16>) {
    let split = entry.rsplit_once(':').and_then(|(name, port)| Some((name, port.parse().ok()?)));
    split.map_or((entry, None), |(name, port)| (name, Some(port)))
}

/// The host of a URL, with its port unless it is the scheme's default.
pub fn authority(url: &Url) -> String {
    let host = url.host_str().unwrap_or_default();
    url.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"))
}

#[cfg(test)]
#[path = "rules_tests.rs"]
mod tests;
