//! The interface between a handler and the outside: one trait for each capability, one table of
//! their names (`name`), the context of a call, the result of a handler, and the envelope that is
//! built from it.
//!
//! - `doubles` has a test double of each capability.
//! - `http` decides which requests of tools are allowed.
//! - `secrets/masks` masks the values of secrets in everything that leaves a call.
//! - `kb/guard` filters records by the caller's read permission.
//! - `handler` is the trait of an engine that loads handlers from sources, `foreign` the part that
//!   engines of other languages share.
//!
//! This crate contains no engine, no HTTP client and no policy, and knows a conversation only
//! through a read-only view.

pub mod alike;
mod announcement;
pub mod calendar;
mod clock;
mod context;
pub mod conversation;
mod defect;
pub mod doubles;
mod ending;
pub mod envelope;
mod fault;
pub mod foreign;
pub mod handler;
pub mod http;
pub mod images;
pub mod kb;
pub mod native;
mod outcome;
pub mod secrets;

use std::sync::Arc;

use aileron_contract::{CallId, ConversationId, Mode, ToolId, UserId};
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use serde_json::Value;

pub use aileron_contract::{Capability, UnknownCapability};
pub use announcement::Announcements;
pub use calendar::Calendar;
pub use clock::{Clock, ManualClock, SystemClock};
pub use context::{Context, ContextParts};
pub use conversation::ConversationAccess;
pub use defect::Defect;
pub use ending::HandlerEnd;
pub use fault::{CapabilityFault, FaultCode};
pub use images::Images;
pub use kb::Kb;
pub use native::{Native, Natives, NotBound};
pub use outcome::{BROKE, Success, ToolError, ToolResult, success};

use crate::http::HttpClient;
use crate::secrets::{Masks, Secrets};

/// The future answer of a capability.
pub type Answer<T> = BoxFuture<'static, Result<T, CapabilityFault>>;

/// On whose behalf a capability is used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Caller {
    pub conversation: ConversationId,
    pub user: Option<UserId>,
    /// The person's permissions, from their credentials.
    pub scopes: Arc<[String]>,
    pub mode: Mode,
    pub tool: ToolId,
    pub call_id: CallId,
    /// The same for every attempt of the same call, also after a crash.
    pub idempotency_key: Arc<str>,
}

/// The engines of this installation. A missing engine answers [`FaultCode::Unavailable`].
#[derive(Debug, Clone, Default)]
pub struct Platform {
    pub kb: Option<Arc<dyn Kb>>,
    pub calendar: Option<Arc<dyn Calendar>>,
    pub images: Option<Arc<dyn Images>>,
    pub http: Option<Arc<HttpClient>>,
    pub secrets: Option<Arc<dyn Secrets>>,
    /// The secrets that handlers have received.
    pub masks: Arc<Masks>,
}

impl Platform {
    /// The notice for a person who approves a call of a tool with these capabilities.
    pub fn notice(&self, capabilities: &[String]) -> Option<&'static str> {
        let calendar = self.calendar.as_ref()?;
        let uses_it = capabilities.iter().any(|name| name == "calendar");
        uses_it.then(|| calendar.invitations().notice())
    }

    /// The labels of a call's arguments for the person who approves it, and the subject of the
    /// call. `None` if no engine of this tool can know them.
    pub fn meanings(
        &self,
        capabilities: &[String],
        caller: Caller,
        args: Arc<Value>,
    ) -> Option<BoxFuture<'static, calendar::CallMeaning>> {
        let engine = self.calendar.clone()?;
        let uses_it = capabilities.iter().any(|name| name == "calendar");
        uses_it.then(|| async move { calendar::meanings(&*engine, &caller, &args).await }.boxed())
    }
}
