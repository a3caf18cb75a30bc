//! The part of a conversation that never changes: its person, toolset and services. Builds the
//! values that derive from them: response metadata, ledger entries, events.

use std::sync::Arc;

use aileron_capability::Caller;
use aileron_capability::envelope::ResponseMeta;
use aileron_contract::audit::TrailStep;
use aileron_contract::envelope::Clamp;
use aileron_contract::redact::{redacted, redacted_at};
use aileron_contract::{ContentHash, ConversationId, Mode, Outcome, ToolResponse};
use aileron_store::{CallStart, Store};
use serde_json::Value;

use crate::call_identity::CallIdentity;
use crate::candidate::CandidateCall;
use crate::config::RecordedTrail;
use crate::event::{ConversationEvent, DecidedEvent, EventSource};
use crate::person::Person;
use crate::policy_state::PolicyState;
use crate::services::Services;
use crate::state::StateEffect;
use crate::token::Binding;
use crate::toolset::{ToolEntry, Toolset};
use crate::trail::Trail;

#[derive(Debug)]
pub(crate) struct ConversationInfo {
    pub(crate) services: Arc<Services>,
    pub(crate) id: ConversationId,
    pub(crate) person: Person,
    pub(crate) toolset: Arc<Toolset>,
    /// The person as handlers see them.
    pub(crate) user_view: Arc<Value>,
    /// The person's permissions, as capabilities see them.
    pub(crate) scopes: Arc<[String]>,
}

impl ConversationInfo {
    pub(crate) fn now(&self) -> u64 {
        self.services.now()
    }

    pub(crate) fn store(&self) -> &dyn Store {
        &*self.services.store
    }

    /// The metadata of the answer to a call that did not run.
    pub(crate) fn stamp<'a>(&'a self, call: &'a CallIdentity) -> ResponseMeta<'a> {
        ResponseMeta {
            tool_id: &call.tool_id,
            tool_version: call.entry.as_ref().map(|entry| entry.version.as_str()),
            registry_version: self.toolset.registry().version(),
            call_id: &call.call_id,
            duration_ms: 0,
            attempts: 0,
            clamped: Vec::new(),
            over_budget: false,
        }
    }

    /// The call as the ledger knows it.
    pub(crate) fn call_start(
        &self,
        call: &CallIdentity,
        args: Arc<Value>,
        trail: &Trail,
        state: &PolicyState,
        now: u64,
    ) -> Arc<CallStart> {
        let masks = &self.services.platform.masks;
        let mut given = call.given.clone();
        let args = match masks.is_empty() {
            true => args,
            // A tool may pass a secret to another tool.
            false => {
                let masked = Arc::new(masks.value((*args).clone()));
                if given.is_none() && masked != args {
                    // The masked arguments do not distinguish the call from another one.
                    given = Some(ContentHash::of_value(&args));
                }
                masked
            }
        };
        Arc::new(CallStart {
            scope: state.scope.clone(),
            tool: call.tool_stamp(),
            turn: state.turn,
            call_id: call.call_id.clone(),
            key: call.key.clone(),
            args,
            given,
            time: now,
            trail: self.recorded(trail),
        })
    }

    /// The part of a trail that records keep.
    fn recorded(&self, trail: &Trail) -> Vec<TrailStep> {
        match self.services.config.audit.trail {
            RecordedTrail::Deciding => trail.deciding(),
            RecordedTrail::All => trail.all(),
        }
    }

    /// The caller of a handler: the person and conversation on whose behalf it runs.
    pub(crate) fn caller(&self, call: &CallIdentity, entry: &ToolEntry, mode: Mode) -> Caller {
        Caller {
            conversation: self.id.clone(),
            user: self.person.id.clone(),
            scopes: self.scopes.clone(),
            mode,
            tool: entry.spec().tool_id.clone(),
            call_id: call.call_id.clone(),
            idempotency_key: call.key.clone(),
        }
    }

    /// The call that a confirmation token stands for.
    pub(crate) fn binding<'a>(
        &'a self,
        id: &'a str,
        entry: &'a ToolEntry,
        args_hash: &'a ContentHash,
        expires: u64,
    ) -> Binding<'a> {
        Binding {
            id,
            conversation: &self.id,
            user: self.person.id.as_ref(),
            tool: &entry.spec().tool_id,
            tool_hash: entry.tool.hash(),
            args_hash,
            registry_version: self.toolset.registry().version(),
            expires,
        }
    }

    /// The JSON Pointers that a tool hides.
    pub(crate) fn hidden(&self, tool: &str) -> &[String] {
        self.toolset.entry(tool).map_or(&[], |entry| &entry.spec().redact)
    }

    fn event_source(&self) -> EventSource<'_> {
        EventSource {
            conversation: &self.id,
            user: self.person.id.as_ref(),
            registry_version: self.toolset.registry().version(),
        }
    }

    /// Gives an event to the observer, if one is enabled.
    pub(crate) fn publish(&self, event: impl FnOnce() -> ConversationEvent) {
        if self.services.observer.is_enabled() {
            let event = event().masked(&self.services.platform.masks);
            self.services.observer.on_event(self.event_source(), event);
        }
    }

    pub(crate) fn publish_effect(&self, effect: StateEffect) {
        if effect != StateEffect::Nothing {
            self.publish(|| ConversationEvent::Effect(effect));
        }
    }

    /// Publishes an answer without the values that the tool hides.
    pub(crate) fn publish_answered(
        &self,
        entry: Option<&ToolEntry>,
        outcome: Outcome,
        answer: &Arc<ToolResponse>,
    ) {
        let hidden = entry.map_or(&[][..], |entry| &entry.spec().redact);
        self.publish(|| {
            let answer = match hidden.is_empty() {
                true => answer.clone(),
                false => Arc::new(shown(answer, hidden)),
            };
            ConversationEvent::Answered { outcome, answer }
        });
    }

    /// Publishes the decision about a call of this turn.
    pub(crate) fn publish_decided(&self, call: &CandidateCall, trail: &Trail, turn: u64) {
        let hidden = self.hidden(&call.call.tool_id);
        self.publish(|| {
            ConversationEvent::Decided(Arc::new(DecidedEvent {
                call_id: call.call.call_id.clone(),
                tool: call.call.tool_id.clone(),
                turn,
                args: redacted(call.shown_args(), hidden).into_owned(),
                clamped: shown_clamps(&call.clamped, hidden),
                trail: trail.all(),
            }))
        });
    }

    pub(crate) fn publish_defect(&self, call: &CallIdentity, what: String) {
        let (call_id, tool) = (call.call_id.clone(), call.tool_id.clone());
        self.publish(|| ConversationEvent::Defect { call_id, tool, what });
    }
}

/// An answer without the values that its tool hides. A message may quote such a value, so the
/// messages of a tool that hides anything are replaced by the fixed sentence of their kind.
pub fn shown(answer: &ToolResponse, hidden: &[String]) -> ToolResponse {
    let mut answer = answer.clone();
    if hidden.is_empty() {
        return answer;
    }
    let meta = match &mut answer {
        ToolResponse::Success { data, meta, .. } => {
            *data = redacted(data, hidden).into_owned();
            meta
        }
        ToolResponse::Failure { error, meta, .. } => {
            error.message = error.kind.sentence().to_owned();
            error.details = None;
            error.confirmation_request = None;
            meta
        }
    };
    meta.clamped = shown_clamps(&meta.clamped, hidden);
    answer
}

/// The clamps of arguments, without the values that the tool hides.
fn shown_clamps(clamped: &[Clamp], hidden: &[String]) -> Vec<Clamp> {
    let shown = |Clamp { pointer, from, to }: &Clamp| Clamp {
        pointer: pointer.clone(),
        from: redacted_at(pointer, from, hidden),
        to: redacted_at(pointer, to, hidden),
    };
    clamped.iter().map(shown).collect()
}

#[cfg(test)]
#[path = "conversation_info_tests.rs"]
mod tests;
