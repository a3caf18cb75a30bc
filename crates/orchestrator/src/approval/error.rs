//! Why an answer does not count.

use std::fmt;

use aileron_store::StoreError;

/// Why an answer does not count.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ConfirmError {
    /// Not a token, or not one that was made for this call.
    Forged,
    /// Someone else's question.
    NotYours,
    /// There is no such question, or it was answered before.
    Unknown,
    Store(StoreError),
}

impl fmt::Display for ConfirmError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Forged => f.write_str("the confirmation token was not made for this call"),
            Self::NotYours => f.write_str("only the person of this conversation may answer"),
            Self::Unknown => f.write_str(
                "there is no such question in this conversation; it was answered or withdrawn",
            ),
            Self::Store(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for ConfirmError {}

impl From<StoreError> for ConfirmError {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}
