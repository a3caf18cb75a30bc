//! Records the course of a text turn: when the model works, its tokens, its end.

use std::sync::Arc;

use aileron_agent::TurnEvent;
use aileron_contract::{ConversationId, UserId};
use aileron_orchestrator::Person;

use crate::event_hub::{EventContent, EventHub};
use crate::turn_traces::SpanKind;

/// Records one turn.
#[derive(Debug)]
pub(super) struct TurnTracer {
    event_hub: Arc<EventHub>,
    conversation: (ConversationId, Option<UserId>),
}

impl TurnTracer {
    pub(super) fn new(event_hub: &Arc<EventHub>, id: &ConversationId, person: &Person) -> Self {
        let conversation = (id.clone(), person.id.clone());
        Self { event_hub: event_hub.clone(), conversation }
    }

    pub(super) fn on_event(&self, event: &TurnEvent) {
        let (id, hub) = (&self.conversation.0, &self.event_hub);
        let (traces, now) = (hub.traces(), hub.now());
        let turn = || traces.latest(id).unwrap_or_default();
        match event {
            TurnEvent::StepBegan { context } => {
                traces.begin_span(id, SpanKind::Model, now);
                if let Some(context) = context {
                    traces.history(id, context.history as u64);
                }
                self.publish(EventContent::ModelBegan { turn: turn() });
            }
            TurnEvent::StepEnded => {
                traces.end_span(id, SpanKind::Model, now);
                self.publish(EventContent::ModelEnded { turn: turn() });
            }
            TurnEvent::Usage(usage) => {
                traces.count_usage(id, usage.input.total, usage.output.total);
            }
            TurnEvent::Finished(_) | TurnEvent::Failed(_) => {
                if let Some(turn) = traces.end_turn(id, now) {
                    self.publish(EventContent::TurnEnded { turn });
                }
            }
            _ => {}
        }
    }

    fn publish(&self, content: EventContent) {
        self.event_hub.publish(Some(self.conversation.clone()), content);
    }
}
