//! Why an answer to a confirmation is not accepted.

use std::fmt;

use aileron_contract::ConversationId;
use aileron_store::StoreError;

use crate::event::ConfirmationOutcome;
use crate::open_error::OpenError;

/// Why an answer to a confirmation is not accepted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ConfirmError {
    /// Not a token, or not one that was signed for this call.
    Forged,
    /// The confirmation belongs to another person.
    NotOwner,
    /// There is no such confirmation.
    Unknown,
    /// It was already resolved in another way. That resolution stands.
    Decided(ConfirmationOutcome),
    Store(StoreError),
}

impl ConfirmError {
    /// The conversation could not be opened or acquired in this process.
    pub(crate) fn not_open(error: OpenError, conversation: &ConversationId) -> Self {
        match error {
            OpenError::Store(error) => Self::Store(error),
            OpenError::Ended => Self::Unknown,
            _ => Self::Store(StoreError::NotOwner { conversation: conversation.to_string() }),
        }
    }
}

impl fmt::Display for ConfirmError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Forged => f.write_str("the confirmation token was not made for this call"),
            Self::NotOwner => f.write_str("only the person of this conversation may answer"),
            Self::Unknown => f.write_str(
                "there is no such question in this conversation; it was answered or withdrawn",
            ),
            Self::Decided(ConfirmationOutcome::Superseded) => f.write_str(
                "this question was superseded: the person was asked something else instead, or \
                 changed their mind; nothing is done because of it",
            ),
            Self::Decided(how) => {
                write!(f, "this question was {} before; the first answer stands", how.as_str())
            }
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
