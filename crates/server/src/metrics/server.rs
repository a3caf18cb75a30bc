//! All metrics of a server, and the observer that counts the events of conversations.

use std::sync::Arc;

use aileron_contract::ConversationId;
use aileron_orchestrator::{ConversationEvent, DecidedEvent, EventSource, Observer};
use aileron_telemetry::Telemetry;

use super::calls::CallMetrics;
use super::context::ContextFigures;
use super::models::ModelFigures;
use super::series::SeriesRecorder;
use super::sessions::SessionFigures;
use super::versions::VersionMetrics;

/// The metrics of a server, shared with its observer.
pub type Metrics = Arc<ServerMetrics>;

/// The metrics of a server, except those of voice connections.
#[derive(Debug, Default)]
pub struct ServerMetrics {
    pub calls: CallMetrics,
    pub context: ContextFigures,
    pub models: ModelFigures,
    pub sessions: SessionFigures,
    pub(super) versions: VersionMetrics,
    pub(super) series: SeriesRecorder,
    /// Sends the same events to a collector, if one is configured.
    pub telemetry: Telemetry,
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
        self.figures.versions.count(source.registry_version, &event);
        self.inner.on_event(source, event);
    }
}

impl ServerMetrics {
    /// Metrics that start at zero, with the given telemetry.
    pub fn with_telemetry(telemetry: Telemetry) -> Self {
        Self { telemetry, ..Self::default() }
    }

    fn count(&self, conversation: &ConversationId, event: &ConversationEvent) {
        self.calls.count(event);
        if let ConversationEvent::Answered { .. } = event {
            self.sessions.call_answered(conversation);
        }
        if self.telemetry.is_on() {
            self.send(conversation, event);
        }
    }

    fn send(&self, conversation: &ConversationId, event: &ConversationEvent) {
        match event {
            ConversationEvent::Decided(decided) => {
                let DecidedEvent { call_id, tool, args, trail, .. } = &**decided;
                self.telemetry.call_decided(conversation, (call_id, tool), args, trail);
            }
            ConversationEvent::Started { call_id, tool } => {
                self.telemetry.call_started(conversation, call_id, tool);
            }
            ConversationEvent::Answered { outcome, answer } => {
                self.telemetry.call_answered(conversation, outcome, answer);
            }
            ConversationEvent::ConfirmationRequested(request) => {
                self.telemetry.confirmation_requested(conversation, request.tool.as_str());
            }
            ConversationEvent::ConfirmationClosed { how, .. } => {
                self.telemetry.confirmation_closed(conversation, how.as_str());
            }
            _ => {}
        }
    }
}
