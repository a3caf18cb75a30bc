//! Why a conversation was not opened.

use std::fmt;

use aileron_contract::Mode;
use aileron_store::StoreError;

use crate::assignment::AssignError;

/// Why a conversation was not opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OpenError {
    /// The person is blocked until then, in milliseconds since the Unix epoch.
    Blocked {
        until: u64,
        left_ms: u64,
    },
    /// It belongs to someone else.
    NotOwner,
    /// It is held in the other mode.
    OtherMode {
        held_in: Mode,
    },
    /// It began with a registry that is not loaded any more.
    RegistryGone {
        pinned: String,
        loaded: Vec<String>,
    },
    /// The registry that it began with is kept, and cannot be loaded.
    RegistryUnusable {
        pinned: String,
        why: String,
    },
    /// A new conversation does not get the registry that the request names.
    RegistryRefused(AssignError),
    /// There is no registry.
    NoRegistry,
    /// It was closed.
    Ended,
    /// Another process owns it and did not release it in time.
    HeldElsewhere,
    Store(StoreError),
    /// The stored conversation cannot be read.
    Unreadable {
        why: String,
    },
}

impl fmt::Display for OpenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Blocked { left_ms, .. } => {
                write!(f, "the person is blocked for another {} seconds", left_ms.div_ceil(1000))
            }
            Self::NotOwner => f.write_str("the conversation belongs to someone else"),
            Self::OtherMode { held_in } => {
                write!(
                    f,
                    "the conversation is held in {held_in}; move it first, or open another one"
                )
            }
            Self::RegistryGone { pinned, loaded } => write!(
                f,
                "the conversation began with registry {pinned}, which is neither loaded nor kept beside \
                 the store (loaded: {}); it can be read and ended, but not gone on with; begin another \
                 conversation",
                loaded.join(", ")
            ),
            Self::RegistryUnusable { pinned, why } => write!(
                f,
                "the conversation began with registry {pinned}, which cannot be loaded any more: {why}; \
                 it can be read and ended; begin another conversation"
            ),
            Self::RegistryRefused(error) => error.fmt(f),
            Self::NoRegistry => f.write_str("no registry is loaded; install one first"),
            Self::Ended => f.write_str("the conversation has ended; begin another one"),
            Self::HeldElsewhere => f.write_str(
                "another process has the conversation and does not let go of it; try again, and find \
                 that process if it stays so",
            ),
            Self::Store(error) => error.fmt(f),
            Self::Unreadable { why } => {
                write!(f, "the conversation cannot be read: {why}; begin another one")
            }
        }
    }
}

impl std::error::Error for OpenError {}

impl From<StoreError> for OpenError {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl OpenError {
    pub(crate) fn unreadable(error: serde_json::Error) -> Self {
        Self::Unreadable { why: error.to_string() }
    }
}
