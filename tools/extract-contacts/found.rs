//! A value found in a line, and its position.

use std::collections::HashSet;
use std::ops::Range;

use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Kind {
    Name,
    Email,
    Phone,
    Url,
}

pub(super) enum Found {
    Name(String),
    Email(String),
    Phone(Phone),
    Url(String),
}

#[derive(Serialize)]
pub(super) struct Phone {
    /// As written.
    pub(super) raw: String,
    /// In international form, if the country is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) e164: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) extension: Option<String>,
}

pub(super) struct Hit {
    pub(super) found: Found,
    /// In bytes of the line.
    pub(super) place: Range<usize>,
    /// The line of its block.
    pub(super) row: usize,
}

impl Found {
    pub(super) fn kind(&self) -> Kind {
        match self {
            Self::Name(_) => Kind::Name,
            Self::Email(_) => Kind::Email,
            Self::Phone(_) => Kind::Phone,
            Self::Url(_) => Kind::Url,
        }
    }

    /// The value that identifies it.
    pub(super) fn value(&self) -> &str {
        match self {
            Self::Name(text) | Self::Email(text) | Self::Url(text) => text,
            Self::Phone(Phone { raw, e164, .. }) => e164.as_ref().unwrap_or(raw),
        }
    }

    pub(super) fn at(self, place: Range<usize>) -> Hit {
        Hit { found: self, place, row: 0 }
    }
}

/// Each value of a kind once, at its first position.
pub(super) fn unique<'a>(found: &[&'a Found], kind: Kind) -> Vec<&'a Found> {
    let mut seen = HashSet::new();
    let of_kind = found.iter().copied().filter(|found| found.kind() == kind);
    of_kind.filter(|found| seen.insert(found.value())).collect()
}
