//! Parses the address to listen on.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use serde::de::{self, Deserializer, Visitor};

/// The port, unless another one is set.
pub(super) const PORT: u16 = 7272;

const EXPECTED: &str = "expected an address like `127.0.0.1:7272`, `localhost:7272` or `7272`";

/// Reads `127.0.0.1:7272`, `localhost:7272`, a port alone, which means loopback, or an address
/// alone, which gets the default port.
pub(crate) fn parse(text: &str) -> Result<SocketAddr, String> {
    let local = |port| SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    let wrong = || format!("{EXPECTED}, found {text:?}");
    if let Ok(address) = text.parse() {
        return Ok(address);
    }
    if let Ok(address) = text.parse::<IpAddr>() {
        return Ok(SocketAddr::new(address, PORT));
    }
    let (host, port) = text.rsplit_once(':').unwrap_or(match is_number(text) {
        true => ("localhost", text),
        false => (text, "7272"),
    });
    match (host.eq_ignore_ascii_case("localhost"), is_number(port)) {
        (true, true) => port.parse().map(local).map_err(|_| wrong()),
        _ => Err(wrong()),
    }
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Reads an address, or a port alone, from a file.
pub(super) fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<SocketAddr, D::Error> {
    deserializer.deserialize_any(AddressVisitor)
}

struct AddressVisitor;

impl Visitor<'_> for AddressVisitor {
    type Value = SocketAddr;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an address like `127.0.0.1:7272`, `localhost:7272` or `7272`")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<SocketAddr, E> {
        parse(text).map_err(E::custom)
    }

    fn visit_i64<E: de::Error>(self, port: i64) -> Result<SocketAddr, E> {
        parse(&port.to_string()).map_err(E::custom)
    }

    fn visit_u64<E: de::Error>(self, port: u64) -> Result<SocketAddr, E> {
        parse(&port.to_string()).map_err(E::custom)
    }
}

#[cfg(test)]
#[path = "address_tests.rs"]
mod tests;
