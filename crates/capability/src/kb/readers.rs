//! The read permission of each namespace of the knowledge base.

use std::fmt;
use std::str::FromStr;

use aileron_contract::kb::Namespace;
use serde::{Deserialize, Serialize};

use crate::Caller;

const SCOPE: &str = "scope:";

/// The read permission of each namespace.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Readers {
    pub studio: ReadPermission,
    pub personal: ReadPermission,
    pub public: ReadPermission,
}

impl Default for Readers {
    fn default() -> Self {
        Self {
            studio: ReadPermission::Anyone,
            personal: ReadPermission::SignedIn,
            public: ReadPermission::Anyone,
        }
    }
}

impl Readers {
    /// The read permission of this namespace.
    pub fn of(&self, namespace: Namespace) -> &ReadPermission {
        match namespace {
            Namespace::Studio => &self.studio,
            Namespace::Personal => &self.personal,
            Namespace::Public => &self.public,
        }
    }
}

/// The permission that a reader needs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum ReadPermission {
    Anyone,
    /// Every authenticated person.
    SignedIn,
    /// Every person with this permission.
    Scope(String),
}

impl ReadPermission {
    /// Whether the caller may read.
    pub fn is(&self, caller: &Caller) -> bool {
        match self {
            Self::Anyone => true,
            Self::SignedIn => caller.user.is_some(),
            Self::Scope(name) => caller.scopes.contains(name),
        }
    }
}

impl fmt::Display for ReadPermission {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Anyone => f.write_str("anyone"),
            Self::SignedIn => f.write_str("signed-in"),
            Self::Scope(name) => write!(f, "{SCOPE}{name}"),
        }
    }
}

impl FromStr for ReadPermission {
    type Err = UnknownReader;

    fn from_str(text: &str) -> Result<Self, UnknownReader> {
        let is_name = |name: &&str| !name.is_empty() && name.trim() == *name;
        let scope = || text.strip_prefix(SCOPE).filter(is_name);
        match text {
            "anyone" => Ok(Self::Anyone),
            "signed-in" => Ok(Self::SignedIn),
            _ => match scope() {
                Some(name) => Ok(Self::Scope(name.to_owned())),
                None => Err(UnknownReader(text.to_owned())),
            },
        }
    }
}

impl TryFrom<String> for ReadPermission {
    type Error = UnknownReader;

    fn try_from(text: String) -> Result<Self, UnknownReader> {
        text.parse()
    }
}

impl From<ReadPermission> for String {
    fn from(reader: ReadPermission) -> Self {
        reader.to_string()
    }
}

/// A text that is not a read permission.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownReader(String);

impl fmt::Display for UnknownReader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected `anyone`, `signed-in` or `scope:<name>`, found {:?}", self.0)
    }
}

impl std::error::Error for UnknownReader {}

#[cfg(test)]
#[path = "readers_tests.rs"]
mod tests;
