//! Voice as the server's state holds it.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use aileron_contract::ConversationId;

use super::limits::VoiceSessionLimits;
use super::providers::{Providers, ProvidersError};
use super::sessions::Sessions;
use super::threads::Threads;
use crate::metrics::VoiceMetrics;

/// Voice as the server's state holds it: providers, limits, sessions and their threads.
pub struct Voice {
    pub(super) providers: Providers,
    pub(super) limits: VoiceSessionLimits,
    pub(super) sessions: Arc<Sessions>,
    pub(super) threads: Threads,
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

    /// Voice with the built-in provider only, which listens at this address.
    pub fn offline(base_url: &str) -> Result<Self, ProvidersError> {
        let providers = Providers::offline(base_url)?;
        Ok(Self::new(providers, VoiceSessionLimits::default()))
    }

    pub(crate) fn providers(&self) -> &Providers {
        &self.providers
    }

    /// Asks every session to end once its running calls have settled, and accepts no further session.
    pub fn stop(&self) {
        self.sessions.stop();
    }

    /// How long sessions take at most to end after [`Voice::stop`].
    pub(crate) fn max_shutdown_time(&self) -> Duration {
        self.limits.max_shutdown_time()
    }

    /// Waits until no session is open.
    pub async fn drained(&self) {
        self.sessions.drained().await;
    }

    /// Ends the voice session, if any, of a conversation that continues as chat.
    pub(crate) async fn end_for_chat(&self, conversation: &ConversationId) {
        self.sessions.end_current_session(conversation).await;
    }

    /// Asks the voice session of a conversation that was ended to end too.
    pub(crate) fn end(&self, conversation: &ConversationId) {
        self.sessions.end(conversation);
    }

    /// How many voice connections are open.
    pub fn connections(&self) -> usize {
        self.sessions.open()
    }

    /// How many tasks the voice threads have; tests look for leaked ones.
    pub fn tasks(&self) -> usize {
        self.threads.tasks()
    }

    /// Counters of all sessions.
    pub fn figures(&self) -> &Arc<VoiceMetrics> {
        &self.figures
    }

    pub(crate) fn limits(&self) -> &VoiceSessionLimits {
        &self.limits
    }
}
