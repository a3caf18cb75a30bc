//! The one screen a server begins with: what it is, what it has, and what is off.

use std::fmt::Write;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

/// How wide the names at the left are.
const WIDTH: usize = 10;

/// What there is to say. Each part of the server adds its rows.
#[derive(Debug, Default)]
pub(super) struct Screen {
    rows: Vec<(&'static str, String)>,
    off: Vec<String>,
    /// Whether a request has to say who it is from.
    signs_in: bool,
}

impl Screen {
    /// Something that there is.
    pub(super) fn row(&mut self, name: &'static str, text: impl Into<String>) {
        self.rows.push((name, text.into()));
    }

    /// Something that there is not, why, and what to do about it.
    pub(super) fn off(&mut self, what: impl Into<String>) {
        self.off.push(what.into());
    }

    /// A request has to say who it is from.
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
        let token = if self.signs_in { "-H \"authorization: Bearer $TOKEN\" " } else { "" };
        let _ = writeln!(
            text,
            "\nchat with the agent: run `aileron chat` here, or send a request:\n  \
             curl -N http://{}/api/chat {token}-H 'content-type: application/json' \
             -d '{{\"message\": \"Hello!\"}}'",
            reached(address)
        );
        let _ = write!(text, "\nhttp://{address}/openapi.json describes the API; Ctrl-C stops");
        text
    }
}

/// Where this machine reaches a server that listens at an address.
pub(super) fn reached(mut address: SocketAddr) -> SocketAddr {
    match address.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => address.set_ip(Ipv4Addr::LOCALHOST.into()),
        IpAddr::V6(ip) if ip.is_unspecified() => address.set_ip(Ipv6Addr::LOCALHOST.into()),
        IpAddr::V4(_) | IpAddr::V6(_) => {}
    }
    address
}
