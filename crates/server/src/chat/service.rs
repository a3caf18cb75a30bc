//! Chat as the server's state holds it: the agent and the answers in progress.

use std::sync::Arc;

use aileron_agent::Agent;
use aileron_contract::ConversationId;

use super::active_streams::ActiveStreams;
use super::options::ChatOptions;

/// The agent of text conversations, and the answers in progress.
#[derive(Debug)]
pub struct Chat {
    pub(super) agent: Agent,
    provider: String,
    model: String,
    pub(super) options: ChatOptions,
    pub(super) active_streams: Arc<ActiveStreams>,
}

impl Chat {
    pub fn new(agent: Agent, provider: impl Into<String>, options: ChatOptions) -> Self {
        let (provider, active_streams) = (provider.into(), Arc::default());
        Self { agent, model: provider.clone(), provider, options, active_streams }
    }

    /// The same with the name of the model, for telemetry.
    pub fn with_model(self, model: impl Into<String>) -> Self {
        Self { model: model.into(), ..self }
    }

    /// The name of the model; that of the provider if none was given.
    pub(super) fn model(&self) -> &str {
        &self.model
    }

    /// The name of the text model provider: `offline`, `gemini`.
    pub(crate) fn provider(&self) -> &str {
        &self.provider
    }

    /// Waits until no answer is in progress and its messages are handed to the store.
    pub(crate) async fn drained(&self) {
        self.agent.wait_until_all_idle().await;
    }

    /// Waits for the answer in progress of a conversation that continues as voice, and stops it if it takes
    /// too long.
    pub(crate) async fn finish_answer(&self, conversation: &ConversationId) {
        if self.active_streams.wait_until_ended(conversation).await.is_err() {
            self.active_streams.find(conversation).iter().for_each(|live| live.stop());
        }
        if self.agent.wait_until_idle(conversation).await.is_err() {
            tracing::warn!("A conversation continues as voice while an answer is in progress.");
        }
    }

    /// Stops the answer in progress of a conversation that has ended.
    pub(crate) fn stop(&self, conversation: &ConversationId) {
        self.active_streams.find(conversation).iter().for_each(|live| live.stop());
    }
}
