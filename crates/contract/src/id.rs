//! Identifiers, checked when they are made, so that a value of one of these
//! types is always well formed. A clone shares the text: calls pass ids along many times.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize, Serializer};

use crate::hash::ContentHash;

/// The longest tool id every provider accepts.
pub const MAX_TOOL_ID: usize = 64;

/// The longest opaque id (call, conversation, user) we carry around.
pub const MAX_OPAQUE_ID: usize = 256;

/// Why a text is not an id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IdError {
    kind: &'static str,
    found: String,
    expected: &'static str,
}

impl fmt::Display for IdError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} must be {}, found {:?}", self.kind, self.expected, self.found)
    }
}

impl std::error::Error for IdError {}

fn error(kind: &'static str, found: &str, expected: &'static str) -> IdError {
    let found = found.chars().take(80).collect();
    IdError { kind, found, expected }
}

/// The name of a tool: `kb_search`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(try_from = "String")]
pub struct ToolId(Arc<str>);

const TOOL_ID_FORM: &str = "a lower-case letter, then at most 63 of a-z, 0-9 and _";

impl ToolId {
    /// Checks and wraps a tool id.
    pub fn new(id: impl Into<String>) -> Result<Self, IdError> {
        let id = id.into();
        let mut bytes = id.bytes();
        let starts_well = bytes.next().is_some_and(|b| b.is_ascii_lowercase());
        let goes_on_well = bytes.all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_');
        if starts_well && goes_on_well && id.len() <= MAX_TOOL_ID {
            Ok(Self(id.into()))
        } else {
            Err(error("a tool id", &id, TOOL_ID_FORM))
        }
    }

    /// The tool whose directory has this name: `kb-search` holds `kb_search`.
    pub fn from_directory(name: &str) -> Result<Self, IdError> {
        if name.contains('_') {
            return Err(error("a tool directory", name, "named with dashes, not underscores"));
        }
        Self::new(name.replace('-', "_"))
    }

    /// The directory that holds this tool.
    pub fn directory(&self) -> String {
        self.0.replace('_', "-")
    }

    /// The id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Defines an id that a client or a provider chose: any printable text of bounded length.
macro_rules! opaque_id {
    ($(#[$doc:meta])* $name:ident, $kind:literal) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
        #[serde(try_from = "String")]
        pub struct $name(Arc<str>);

        impl $name {
            /// Checks and wraps the id.
            pub fn new(id: impl Into<String>) -> Result<Self, IdError> {
                let id = id.into();
                let fits = (1..=MAX_OPAQUE_ID).contains(&id.len());
                if fits && !id.chars().any(char::is_control) {
                    Ok(Self(id.into()))
                } else {
                    Err(error($kind, &id, "1 to 256 bytes without control characters"))
                }
            }

            /// The id as text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }
    };
}

opaque_id!(
    /// One call, as the provider or the caller names it.
    CallId, "a call id"
);
opaque_id!(
    /// One conversation.
    ConversationId, "a conversation id"
);
opaque_id!(
    /// One person.
    UserId, "a user id"
);

impl CallId {
    /// The first characters of the id of a call that a person approved.
    pub const APPROVED_PREFIX: &'static str = "confirmed-";

    /// Checks and wraps an id that a provider or a client chose. The ids of approved calls are
    /// reserved: a call under such an id would look approved in the audit log.
    pub fn chosen_outside(id: impl Into<String>) -> Result<Self, IdError> {
        let id = Self::new(id)?;
        match id.as_str().starts_with(Self::APPROVED_PREFIX) {
            true => Err(error("a call id", id.as_str(), NOT_RESERVED)),
            false => Ok(id),
        }
    }
}

const NOT_RESERVED: &str = "an id that does not begin with `confirmed-`, which is reserved";

impl UserId {
    /// The id of an unauthenticated person, who is identified only by the conversation. The
    /// conversation's id is hashed, because with the prefix it could exceed the maximum length.
    pub fn stranger(conversation: &ConversationId) -> Self {
        let hash = ContentHash::of_bytes(conversation.as_str().as_bytes());
        Self(format!("stranger:{hash}").into())
    }

    /// The id of every local person, if authentication is off.
    pub fn local() -> Self {
        Self("local".into())
    }
}

macro_rules! text_conversions {
    ($($name:ident),*) => {$(
        impl TryFrom<String> for $name {
            type Error = IdError;
            fn try_from(id: String) -> Result<Self, IdError> {
                Self::new(id)
            }
        }

        impl From<$name> for String {
            fn from(id: $name) -> Self {
                id.as_str().to_owned()
            }
        }

        /// Shares the text of the id.
        impl From<&$name> for Arc<str> {
            fn from(id: &$name) -> Self {
                id.0.clone()
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(&self.0)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl AsRef<str> for $name {
            fn as_ref(&self) -> &str {
                &self.0
            }
        }
    )*};
}

text_conversions!(ToolId, CallId, ConversationId, UserId);

#[cfg(test)]
#[path = "id_tests.rs"]
mod tests;
