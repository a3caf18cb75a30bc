//! Why a client is refused, and the messages it is sent.

use std::fmt;

use aileron_orchestrator::{AssignError, OpenError};

use crate::conversations::NotOpened;
use crate::voice::protocol::{ErrorCode, SessionEndReason, UpError, VoiceServerMessage};

const TIMEOUT_MESSAGE: &str = "This conversation is paused.";

/// Why a client is refused.
#[derive(Debug)]
pub(super) enum VoiceRefusal {
    StartTimeout,
    Stopping,
    NotStarted,
    BadMessage(UpError),
    TooBig,
    Broken { code: u16 },
    Flood,
    Gone,
    UnknownProvider { known: String },
    ProviderUnavailable,
    NoRandomness,
    Open(NotOpened),
}

impl fmt::Display for VoiceRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::StartTimeout => f.write_str("expected `start` in time, found nothing"),
            Self::Stopping => f.write_str("the server is about to stop; connect again in a moment"),
            Self::NotStarted => {
                f.write_str("expected `start` first, found something else; connect again")
            }
            Self::BadMessage(error) => error.fmt(f),
            Self::TooBig => f.write_str("the message is larger than any may be"),
            Self::Broken { .. } => {
                f.write_str("expected the frames of a WebSocket, found something else")
            }
            Self::Flood => f.write_str("too many messages in a short time"),
            Self::Gone => f.write_str("the client went away"),
            Self::UnknownProvider { known } => {
                write!(f, "expected a `provider` of {known}, found another")
            }
            Self::ProviderUnavailable => {
                f.write_str("the voice provider cannot be reached as it is set up")
            }
            Self::NoRandomness => f.write_str("no conversation can be begun at the moment"),
            Self::Open(NotOpened::Refused(OpenError::Store(_))) => {
                f.write_str("the conversation cannot be looked up at the moment; try again")
            }
            // A conversation of another person is answered like one that does not exist.
            Self::Open(NotOpened::NotThere | NotOpened::Refused(OpenError::NotOwner)) => {
                f.write_str("there is no such conversation; begin another one")
            }
            Self::Open(NotOpened::Refused(error)) => error.fmt(f),
            Self::Open(NotOpened::TooMany { most }) => {
                write!(f, "all {most} conversations that one person may hold are in use")
            }
        }
    }
}

impl VoiceRefusal {
    /// The messages for the client.
    pub(super) fn messages(&self, now: u64) -> Vec<VoiceServerMessage> {
        if let Some(until) = self.blocked_until() {
            let timeout = VoiceServerMessage::Timeout {
                duration_seconds: until.saturating_sub(now).div_ceil(1000),
                timeout_until: until,
                farewell_message: TIMEOUT_MESSAGE.to_owned(),
            };
            let reason = SessionEndReason::Blocked.as_str().to_owned();
            return vec![
                timeout,
                VoiceServerMessage::Ended { reason, closing_message: None, text_response: None },
            ];
        }
        vec![VoiceServerMessage::error(self.code(), self)]
    }

    /// Until when the person is blocked, if that is the reason.
    fn blocked_until(&self) -> Option<u64> {
        match self {
            Self::Open(NotOpened::Refused(OpenError::Blocked { until, .. })) => Some(*until),
            _ => None,
        }
    }

    fn code(&self) -> ErrorCode {
        match self {
            Self::StartTimeout => ErrorCode::StartTimeout,
            Self::NotStarted | Self::Gone => ErrorCode::NotStarted,
            Self::BadMessage(_) | Self::Broken { .. } => ErrorCode::BadMessage,
            Self::TooBig => ErrorCode::MessageTooBig,
            Self::Flood => ErrorCode::TooManyMessages,
            Self::UnknownProvider { .. } => ErrorCode::UnknownProvider,
            Self::Stopping | Self::ProviderUnavailable | Self::NoRandomness => {
                ErrorCode::ProviderUnavailable
            }
            Self::Open(error) => open_code(error),
        }
    }

    /// The code of the close frame.
    pub(super) fn close_code(&self) -> u16 {
        match self {
            Self::TooBig => 1009,
            Self::Broken { code } => *code,
            Self::Stopping => 1001,
            Self::ProviderUnavailable | Self::NoRandomness => 1013,
            _ => 1008,
        }
    }

    /// The reason in the close frame.
    pub(super) fn word(&self) -> &'static str {
        match self {
            Self::Open(NotOpened::Refused(OpenError::Blocked { .. })) => "blocked",
            Self::Stopping => "shutdown",
            _ => "refused",
        }
    }
}

fn open_code(error: &NotOpened) -> ErrorCode {
    match error {
        NotOpened::NotThere | NotOpened::Refused(OpenError::NotOwner) => {
            ErrorCode::UnknownConversation
        }
        NotOpened::TooMany { .. } => ErrorCode::TooManyConversations,
        NotOpened::Refused(error) => match error {
            OpenError::OtherMode { .. } => ErrorCode::OtherMode,
            OpenError::RegistryGone { .. } | OpenError::RegistryUnusable { .. } => {
                ErrorCode::RegistryGone
            }
            OpenError::RegistryRefused(AssignError::Unknown { .. }) => ErrorCode::UnknownRegistry,
            OpenError::RegistryRefused(AssignError::NotAllowed { .. }) => {
                ErrorCode::RegistryNotAllowed
            }
            OpenError::Ended | OpenError::Blocked { .. } => ErrorCode::ConversationEnded,
            OpenError::Unreadable { .. } => ErrorCode::ConversationUnreadable,
            OpenError::NotOwner => ErrorCode::UnknownConversation,
            OpenError::NoRegistry | OpenError::Store(_) | OpenError::HeldElsewhere => {
                ErrorCode::StoreUnavailable
            }
        },
    }
}
