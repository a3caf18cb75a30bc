//! All metrics of a server, and the observer that counts the events of conversations.

use std::sync::Arc;

use aileron_contract::ConversationId;
use aileron_orchestrator::{ConversationEvent, EventSource, Observer};

use super::calls::CallMetrics;
use super::context::ContextFigures;
use super::models::ModelFigures;
use super::series::SeriesRecorder;
use super::sessions::SessionFigures;

/// The metrics of a server, shared with its observer.
pub type Metrics = Arc<ServerMetrics>;

/// The metrics of a server, except those of voice connections.
#[derive(Debug, Default)]
pub struct ServerMetrics {
    pub calls: CallMetrics,
    pub context: ContextFigures,
    pub models: ModelFigures,
    pub sessions: SessionFigures,
    pub(super) series: SeriesRecorder,
}

/// An observer that counts each event and passes it on.
#[derive(Debug)]
pub struct MeteredObserver {
    pub figures: Metrics,
    pub inner: Arc<dyn Observer>,
}

impl Observer for MeteredObserver {
    fn on_event(&self, source: EventSource<'_>, event: ConversationEvent) {
        self.figures.count(source.conversation, &event);
        self.inner.on_event(source, event);
    }
}

impl ServerMetrics {
    fn count(&self, conversation: &ConversationId, event: &ConversationEvent) {
        self.calls.count(event);
        if let ConversationEvent::Answered { .. } = event {
            self.sessions.call_answered(conversation);
        }
    }
}
