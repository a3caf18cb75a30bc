//! The events of an answer as JSON lines, for pipes.

use aileron_agent::{ContextTokens, TurnEvent};
use aileron_contract::ConversationId;
use aileron_orchestrator::ConversationEvent as Happened;
use aileron_orchestrator::state::StateEffect;
use serde_json::{Value, json};

/// The first line: the conversation and the model.
pub(super) fn conversation(id: &ConversationId, provider: &str, model: &str) -> Value {
    json!({ "type": "conversation", "id": id, "provider": provider, "model": model })
}

/// The event with its `type`.
pub(super) fn line(event: &TurnEvent) -> Value {
    match event {
        TurnEvent::Began { turn } => json!({ "type": "began", "turn": turn }),
        TurnEvent::StepBegan { context } => {
            let tokens = context.map_or(0, ContextTokens::total);
            json!({ "type": "step_began", "contextTokens": tokens })
        }
        TurnEvent::Text(text) => json!({ "type": "text", "text": text }),
        TurnEvent::Reasoning(text) => json!({ "type": "reasoning", "text": text }),
        TurnEvent::CallBegun { call_id, tool_id } => {
            json!({ "type": "call_begun", "callId": call_id, "tool": tool_id })
        }
        TurnEvent::Called { call_id, tool_id, args } => {
            json!({ "type": "called", "callId": call_id, "tool": tool_id, "args": args })
        }
        TurnEvent::Started { call_id } => json!({ "type": "started", "callId": call_id }),
        TurnEvent::Progress { call_id, update } => {
            json!({ "type": "progress", "callId": call_id, "update": update })
        }
        TurnEvent::Partial { call_id, index, data } => {
            json!({ "type": "partial", "callId": call_id, "index": index, "data": data })
        }
        TurnEvent::Task { task_id, call_id, status } => {
            json!({ "type": "task", "taskId": task_id, "callId": call_id, "status": status })
        }
        TurnEvent::Message { call_id, message } => {
            json!({ "type": "message", "callId": call_id, "message": message })
        }
        TurnEvent::Asked { call_id, request } => {
            json!({ "type": "asked", "callId": call_id, "request": request })
        }
        TurnEvent::Answered { call_id, tool_id, answer } => {
            json!({ "type": "answered", "callId": call_id, "tool": tool_id, "answer": answer })
        }
        TurnEvent::NotConfirmed { token, why } => {
            json!({ "type": "not_confirmed", "token": token, "why": why })
        }
        TurnEvent::DecidedBefore { call_id, before } => {
            json!({ "type": "decided_before", "callId": call_id, "decided": before.as_str() })
        }
        TurnEvent::Effect(effect) => {
            let mut line = effect_line(*effect);
            line["type"] = json!("effect");
            line
        }
        TurnEvent::Usage(usage) => json!({
            "type": "usage", "inputTokens": usage.input.total, "outputTokens": usage.output.total,
        }),
        TurnEvent::StepEnded => json!({ "type": "step_ended" }),
        TurnEvent::Sources(sources) => json!({ "type": "sources", "sources": sources }),
        TurnEvent::Finished(ended) => {
            json!({ "type": "finished", "how": format!("{ended:?}").to_lowercase() })
        }
        TurnEvent::Failed(failed) => {
            let (code, message) = (failed.code.as_str(), failed.sentence);
            json!({ "type": "failed", "code": code, "message": message, "detail": failed.detail })
        }
    }
}

/// A message for the maintainers of a tool, if the event is one.
pub(super) fn behind(happened: &Happened) -> Option<Value> {
    match happened {
        Happened::Log { call_id, text, .. } => {
            Some(json!({ "type": "log", "callId": call_id, "message": text }))
        }
        Happened::Defect { call_id, tool, what } => {
            Some(json!({ "type": "defect", "callId": call_id, "tool": tool, "message": what }))
        }
        _ => None,
    }
}

fn effect_line(effect: StateEffect) -> Value {
    match effect {
        StateEffect::Nothing => json!({ "effect": "nothing" }),
        StateEffect::StartVoice => json!({ "effect": "start_voice" }),
        StateEffect::EndVoice { .. } => json!({ "effect": "end_voice" }),
        StateEffect::SuppressAudio { value } => {
            json!({ "effect": "suppress_audio", "value": value })
        }
        StateEffect::SuppressTranscript { value } => {
            json!({ "effect": "suppress_transcript", "value": value })
        }
        StateEffect::BlockUser { until } => json!({ "effect": "block_user", "until": until }),
    }
}
