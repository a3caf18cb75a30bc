//! Voice: a person's microphone and loudspeaker joined with a live provider.
//!
//! `door` lets a person in, `session` is the task that runs from then on, `bridge` decides what
//! follows from what. Whether a call is made is the conversation's, how a provider is spoken to the
//! transports'.

mod accept;
mod client;
mod context_window;
mod conversation_queue;
mod keepalive;
mod limits;
mod message_rate_limit;
mod outbox;
mod poll_on_wake;
mod protocol;
mod providers;
#[cfg(test)]
mod samples;
mod session;
mod session_logic;
mod sessions;
mod threads;

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use aileron_contract::ConversationId;
use axum::Router;
use axum::routing::get;

pub(crate) use self::context_window::{json_chars, tokens};
pub use self::limits::VoiceSessionLimits;
pub(crate) use self::protocol::REASONS;
pub use self::protocol::check_message;
pub use self::providers::{ApiKey, Provider, Providers, ProvidersError, VoiceProvider};
use self::sessions::Sessions;
use self::threads::Threads;
use crate::app::App;
use crate::metrics::VoiceMetrics;

/// What voice needs besides what all requests share.
pub struct Voice {
    providers: Providers,
    limits: VoiceSessionLimits,
    sessions: Arc<Sessions>,
    threads: Threads,
    figures: Arc<VoiceMetrics>,
}

impl fmt::Debug for Voice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Voice").field("limits", &self.limits).finish_non_exhaustive()
    }
}

impl Voice {
    pub fn new(providers: Providers, limits: VoiceSessionLimits) -> Self {
        let sessions = Sessions::new(limits.connections);
        Self { providers, limits, sessions, threads: Threads::default(), figures: Arc::default() }
    }

    /// Voice with the built-in provider alone, which answers at this address.
    pub fn offline(base_url: &str) -> Result<Self, ProvidersError> {
        let providers = Providers::offline(base_url)?;
        Ok(Self::new(providers, VoiceSessionLimits::default()))
    }

    /// Tells every session to end, once its running calls have settled, and lets nobody in.
    pub fn stop(&self) {
        self.sessions.stop();
    }

    /// The longest that sessions take to end once they are told to.
    pub(crate) fn leaving(&self) -> Duration {
        self.limits.leaving()
    }

    /// Ends when no session is open.
    pub async fn drained(&self) {
        self.sessions.drained().await;
    }

    /// Ends the voice session of a conversation that goes on in writing, if there is one.
    pub(crate) async fn makes_way(&self, conversation: &ConversationId) {
        self.sessions.end_current_session(conversation).await;
    }

    /// Tells whoever talks in a conversation that it has ended.
    pub(crate) fn end(&self, conversation: &ConversationId) {
        self.sessions.end(conversation);
    }

    /// How many connections there are.
    pub fn connections(&self) -> usize {
        self.sessions.open()
    }

    /// How many tasks its threads have, for those who look for one that was left behind.
    pub fn tasks(&self) -> usize {
        self.threads.tasks()
    }

    /// What happened in all sessions, in numbers.
    pub fn figures(&self) -> &Arc<VoiceMetrics> {
        &self.figures
    }

    pub(crate) fn limits(&self) -> &VoiceSessionLimits {
        &self.limits
    }
}

/// Its routes.
pub(crate) fn routes() -> Router<App> {
    Router::new().route("/v1/voice", get(accept::upgrade))
}
