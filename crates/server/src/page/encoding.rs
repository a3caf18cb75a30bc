//! The choice of a compressed copy of a file.

use aileron_page::PageFile;
use axum::body::Bytes;
use axum::http::{HeaderMap, header};
use std::borrow::Cow;

/// How a file is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Encoding {
    Brotli,
    Gzip,
    Identity,
}

impl Encoding {
    /// The smallest copy that the client accepts.
    pub(super) fn choose(file: &PageFile, headers: &HeaderMap) -> Self {
        if file.brotli.is_some() && accepts(headers, "br") {
            Self::Brotli
        } else if file.gzip.is_some() && accepts(headers, "gzip") {
            Self::Gzip
        } else {
            Self::Identity
        }
    }

    /// The value of `content-encoding`.
    pub(super) fn name(self) -> Option<&'static str> {
        match self {
            Self::Brotli => Some("br"),
            Self::Gzip => Some("gzip"),
            Self::Identity => None,
        }
    }

    /// The ETag, which differs between the copies of one file.
    pub(super) fn tag(self, file: &PageFile) -> String {
        let suffix = self.name().map(|name| format!("-{name}")).unwrap_or_default();
        format!("\"{}{suffix}\"", file.fingerprint)
    }

    pub(super) fn bytes(self, file: &PageFile) -> Bytes {
        let copy = match self {
            Self::Brotli => file.brotli,
            Self::Gzip => file.gzip,
            Self::Identity => None,
        };
        match (copy, &file.identity) {
            (Some(copy), _) => Bytes::from_static(copy),
            (None, Cow::Borrowed(bytes)) => Bytes::from_static(bytes),
            (None, Cow::Owned(bytes)) => Bytes::copy_from_slice(bytes),
        }
    }
}

/// Whether `accept-encoding` lists an encoding by its name, with a weight above zero.
fn accepts(headers: &HeaderMap, encoding: &str) -> bool {
    let values = headers.get_all(header::ACCEPT_ENCODING).into_iter();
    let mut listed =
        values.filter_map(|value| value.to_str().ok()).flat_map(|text| text.split(','));
    listed.any(|one| {
        let mut parts = one.split(';').map(str::trim);
        let is_named = parts.next().is_some_and(|name| name.eq_ignore_ascii_case(encoding));
        is_named && !parts.any(is_zero_weight)
    })
}

fn is_zero_weight(parameter: &str) -> bool {
    let weight =
        parameter.split_once('=').filter(|(name, _)| name.trim().eq_ignore_ascii_case("q"));
    weight.is_some_and(|(_, weight)| weight.trim().parse::<f32>().is_ok_and(|weight| weight <= 0.0))
}
