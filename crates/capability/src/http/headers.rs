//! Headers, out and in: which may be set, and how many and how large they may be.

use std::collections::BTreeMap;

use http::header::{HeaderMap, HeaderName, HeaderValue};

use super::fault::HttpFault;
use super::options::HttpOptions;

/// Headers that control the connection. A tool that sets them could smuggle a second request, or
/// address one host and reach another.
const RESERVED: &[&str] = &[
    "connection",
    "content-length",
    "expect",
    "host",
    "keep-alive",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
];

/// The headers of a request, checked.
pub(super) fn outgoing(
    written: &BTreeMap<String, String>,
    options: &HttpOptions,
) -> Result<HeaderMap, HttpFault> {
    let lengths = written.iter().map(|(name, value)| name.len() + value.len());
    check_size("request", lengths, options)?;
    written.iter().map(|(name, value)| parse(name, value)).collect()
}

fn parse(name: &str, value: &str) -> Result<(HeaderName, HeaderValue), HttpFault> {
    let parsed = HeaderName::try_from(name)
        .map_err(|_| HttpFault::refused(format!("{name:?} is no name of a header")))?;
    if RESERVED.contains(&parsed.as_str()) || parsed.as_str().starts_with("proxy-") {
        return Err(HttpFault::refused(format!("the header `{parsed}` may not be set")));
    }
    let value = HeaderValue::try_from(value).map_err(|_| {
        HttpFault::refused(format!("the value of `{parsed}` is not one line of text"))
    })?;
    Ok((parsed, value))
}

/// The headers of a response, checked.
pub(super) fn incoming(
    received: &HeaderMap,
    options: &HttpOptions,
) -> Result<BTreeMap<String, String>, HttpFault> {
    let lengths = received.iter().map(|(name, value)| name.as_str().len() + value.len());
    check_size("response", lengths, options)?;
    let joined = |name: &HeaderName| {
        let values = received.get_all(name).into_iter();
        let texts: Vec<_> = values.map(|value| String::from_utf8_lossy(value.as_bytes())).collect();
        texts.join(", ")
    };
    Ok(received.keys().map(|name| (name.to_string(), joined(name))).collect())
}

fn check_size(
    message: &str,
    lengths: impl Iterator<Item = usize>,
    options: &HttpOptions,
) -> Result<(), HttpFault> {
    let (count, bytes) = lengths.fold((0, 0), |(count, bytes), length| (count + 1, bytes + length));
    let (most, most_bytes) = (options.max_headers, options.max_header_bytes);
    if count > most {
        return Err(HttpFault::refused(format!("the {message} has more than {most} headers")));
    }
    if bytes > most_bytes {
        return Err(HttpFault::refused(format!(
            "the headers of the {message} have more than {most_bytes} bytes"
        )));
    }
    Ok(())
}

#[cfg(test)]
#[path = "headers_tests.rs"]
mod tests;
