//! What a handler may use of the world, one trait each. A handler's context
//! holds those its `schema.json` declares; the engines behind them are others'.

pub mod calendar;
pub mod conversation;
pub mod images;
pub mod kb;
mod name;

use std::fmt;
use std::sync::Arc;

use aileron_contract::{CallId, ConversationId, Mode, ToolId, UserId};
use futures_util::future::BoxFuture;
use serde::{Deserialize, Serialize};

pub use calendar::Calendar;
pub use conversation::Conversation;
pub use images::Images;
pub use kb::Kb;
pub use name::{Capability, UnknownCapability};

use crate::http::HttpClient;
use crate::secrets::Secrets;

/// What a capability will answer.
pub type Answer<T> = BoxFuture<'static, Result<T, Fault>>;

/// Why a capability did not do what it was asked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fault {
    pub code: FaultCode,
    pub message: String,
}

impl Fault {
    /// A fault with its reason.
    pub fn new(code: FaultCode, message: impl Into<String>) -> Self {
        Self { code, message: message.into() }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Fault {}

/// The kinds of fault a handler can tell apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum FaultCode {
    /// No answer in time; what was asked may have happened.
    Timeout,
    /// Not reachable, or not there at all.
    Unavailable,
    RateLimit,
    Auth,
    Conflict,
    /// Understood, and not done.
    Refused,
}

impl FaultCode {
    /// The name that JavaScript handlers see as `error.code`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Timeout => "TIMEOUT",
            Self::Unavailable => "UNAVAILABLE",
            Self::RateLimit => "RATE_LIMIT",
            Self::Auth => "AUTH",
            Self::Conflict => "CONFLICT",
            Self::Refused => "REFUSED",
        }
    }
}

/// On whose behalf a capability is used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Caller {
    pub conversation: ConversationId,
    pub user: Option<UserId>,
    pub mode: Mode,
    pub tool: ToolId,
    pub call_id: CallId,
    /// The same for every attempt of the same call, also after a crash.
    pub idempotency_key: Arc<str>,
}

/// The engines of this installation. What is absent answers [`FaultCode::Unavailable`].
#[derive(Debug, Clone, Default)]
pub struct Platform {
    pub kb: Option<Arc<dyn Kb>>,
    pub calendar: Option<Arc<dyn Calendar>>,
    pub images: Option<Arc<dyn Images>>,
    pub http: Option<Arc<HttpClient>>,
    pub secrets: Option<Arc<dyn Secrets>>,
}
