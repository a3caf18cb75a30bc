//! Why somebody is not let in, as the client is told.

use std::fmt;

use serde_json::Value;

use crate::error::ApiError;
use crate::voice::protocol::{Down, ErrorCode, Reason, UpError};

/// The code under which a blocked person is refused.
const BLOCKED: &str = "BLOCKED";

const TIMEOUT_MESSAGE: &str = "This conversation is paused.";

/// Why somebody is not let in.
#[derive(Debug)]
pub(super) enum Refusal {
    StartTimeout,
    Stopping,
    NotStarted,
    BadMessage(UpError),
    TooBig,
    Flood,
    Gone,
    UnknownProvider { known: String },
    ProviderUnavailable,
    NoRandomness,
    Open(ApiError),
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::StartTimeout => f.write_str("expected `start` in time, found nothing"),
            Self::Stopping => f.write_str("the server is about to stop; connect again in a moment"),
            Self::NotStarted => {
                f.write_str("expected `start` first, found something else; connect again")
            }
            Self::BadMessage(error) => error.fmt(f),
            Self::TooBig => f.write_str("the message is larger than any may be"),
            Self::Flood => f.write_str("too many messages in a short time"),
            Self::Gone => f.write_str("the client went away"),
            Self::UnknownProvider { known } => {
                write!(f, "expected a `provider` of {known}, found another")
            }
            Self::ProviderUnavailable => {
                f.write_str("the voice provider cannot be reached as it is set up")
            }
            Self::NoRandomness => f.write_str("no conversation can be begun at the moment"),
            Self::Open(error) => f.write_str(error.message()),
        }
    }
}

impl Refusal {
    /// What the client is told.
    pub(super) fn messages(&self, now: u64) -> Vec<Down> {
        if let Some(until) = self.blocked_until() {
            let timeout = Down::Timeout {
                duration_seconds: until.saturating_sub(now).div_ceil(1000),
                timeout_until: until,
                farewell_message: TIMEOUT_MESSAGE.to_owned(),
            };
            let reason = Reason::Blocked.as_str().to_owned();
            return vec![
                timeout,
                Down::Ended { reason, closing_message: None, text_response: None },
            ];
        }
        vec![Down::error(self.code(), self)]
    }

    /// Until when the person is blocked, if that is why.
    fn blocked_until(&self) -> Option<u64> {
        match self {
            Self::Open(error) if error.code() == BLOCKED => {
                error.detail("until").and_then(Value::as_u64)
            }
            _ => None,
        }
    }

    fn code(&self) -> ErrorCode {
        match self {
            Self::StartTimeout => ErrorCode::StartTimeout,
            Self::NotStarted | Self::Gone => ErrorCode::NotStarted,
            Self::BadMessage(_) => ErrorCode::BadMessage,
            Self::TooBig => ErrorCode::MessageTooBig,
            Self::Flood => ErrorCode::TooManyMessages,
            Self::UnknownProvider { .. } => ErrorCode::UnknownProvider,
            Self::Stopping | Self::ProviderUnavailable | Self::NoRandomness => {
                ErrorCode::ProviderUnavailable
            }
            Self::Open(error) => open_code(error),
        }
    }

    /// The code the connection is closed with.
    pub(super) fn close_code(&self) -> u16 {
        match self {
            Self::TooBig => 1009,
            Self::Stopping => 1001,
            Self::ProviderUnavailable | Self::NoRandomness => 1013,
            _ => 1008,
        }
    }

    /// The reason in the close frame.
    pub(super) fn word(&self) -> &'static str {
        match self {
            Self::Open(error) if error.code() == BLOCKED => "blocked",
            Self::Stopping => "shutdown",
            _ => "refused",
        }
    }
}

fn open_code(error: &ApiError) -> ErrorCode {
    match error.code() {
        "NOT_FOUND" => ErrorCode::UnknownConversation,
        "OTHER_MODE" => ErrorCode::OtherMode,
        "REGISTRY_GONE" => ErrorCode::RegistryGone,
        "ENDED" | BLOCKED => ErrorCode::ConversationEnded,
        "TOO_MANY_CONVERSATIONS" => ErrorCode::TooManyConversations,
        "UNREADABLE" => ErrorCode::ConversationUnreadable,
        _ => ErrorCode::StoreUnavailable,
    }
}
