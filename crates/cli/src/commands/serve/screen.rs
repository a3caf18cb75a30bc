//! The start screen of a server: addresses, parts, and what is off.

use std::fmt::Write;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

/// The width of the first column.
const WIDTH: usize = 10;

/// The rows of the screen. Each part of the server adds its own.
#[derive(Debug, Default)]
pub(super) struct Screen {
    rows: Vec<(&'static str, String)>,
    off: Vec<String>,
    /// Whether requests must be authenticated.
    signs_in: bool,
}

impl Screen {
    /// Adds a part that is on.
    pub(super) fn row(&mut self, name: &'static str, text: impl Into<String>) {
        self.rows.push((name, text.into()));
    }

    /// Adds a part that is off, with the reason and the fix.
    pub(super) fn off(&mut self, what: impl Into<String>) {
        self.off.push(what.into());
    }

    /// Requests must be authenticated.
    pub(super) fn sign_in(&mut self) {
        self.signs_in = true;
    }

    pub(super) fn text(&self, address: SocketAddr) -> String {
        let mut text = format!("aileron {} at http://{address}\n\n", env!("CARGO_PKG_VERSION"));
        let rows = self.rows.iter().map(|(name, row)| (*name, row.as_str()));
        let first = |at| if at == 0 { "off" } else { "" };
        let off = self.off.iter().enumerate().map(|(at, what)| (first(at), what.as_str()));
        for (name, row) in rows.chain(off) {
            // Writing to a string does not fail.
            let _ = writeln!(text, "  {name:WIDTH$} {row}");
        }
        let reached = reached(address);
        let token = if self.signs_in { "-H \"authorization: Bearer $TOKEN\" " } else { "" };
        let _ = writeln!(
            text,
            "\nopen http://{reached}/ in a browser, run `aileron chat` here, or send a request:\n  \
             curl -N http://{reached}/api/chat {token}-H 'content-type: application/json' \
             -d '{{\"message\": \"Hello!\"}}'",
        );
        let _ = write!(text, "\nhttp://{address}/openapi.json describes the API; Ctrl-C stops");
        text
    }
}

/// The address at which this machine reaches a server.
pub(super) fn reached(mut address: SocketAddr) -> SocketAddr {
    match address.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => address.set_ip(Ipv4Addr::LOCALHOST.into()),
        IpAddr::V6(ip) if ip.is_unspecified() => address.set_ip(Ipv6Addr::LOCALHOST.into()),
        IpAddr::V4(_) | IpAddr::V6(_) => {}
    }
    address
}
