//! Log lines about conversations: handler output and defects of tools. Redacted fields are removed before;
//! values are in fields of the log.

use aileron_capability::conversation::Level;
use aileron_contract::envelope::Meta;
use aileron_contract::{CallId, ConversationId, Outcome};
use aileron_orchestrator::ConversationEvent;

/// Logs an event, if it matters.
pub(super) fn write(conversation: &ConversationId, event: &ConversationEvent) {
    let conversation = conversation.as_str();
    match event {
        ConversationEvent::Log { call_id, level, text } => {
            console(conversation, call_id, *level, text);
        }
        ConversationEvent::Note { call_id, event, details } => {
            let call = call_id.as_str();
            tracing::info!(conversation, call, event, %details, "A tool left a note.");
        }
        ConversationEvent::Defect { call_id, tool, what } => {
            let call = call_id.as_str();
            tracing::error!(conversation, call, tool, what, "A call met a defect.");
        }
        ConversationEvent::IntentRefused { call_id, intent, why } => {
            let (call, intent) = (call_id.as_str(), intent.name());
            tracing::warn!(conversation, call, intent, %why, "An intent of a tool was refused.");
        }
        ConversationEvent::Answered { outcome, answer } => {
            answered(conversation, outcome, answer.meta());
        }
        ConversationEvent::Began { .. }
        | ConversationEvent::ModeChanged { .. }
        | ConversationEvent::Ended { .. }
        | ConversationEvent::TurnBegan { .. }
        | ConversationEvent::Decided(_)
        | ConversationEvent::Started { .. }
        | ConversationEvent::Retrying { .. }
        | ConversationEvent::Progress { .. }
        | ConversationEvent::Partial { .. }
        | ConversationEvent::Task { .. }
        | ConversationEvent::ConfirmationRequested(_)
        | ConversationEvent::ConfirmationRepeated { .. }
        | ConversationEvent::ConfirmationClosed { .. }
        | ConversationEvent::Message { .. }
        | ConversationEvent::Effect(_) => {}
    }
}

/// Logs console output of a handler.
fn console(conversation: &str, call: &CallId, level: Level, text: &str) {
    const WROTE: &str = "A tool wrote to its console.";
    let call = call.as_str();
    match level {
        Level::Debug => tracing::debug!(conversation, call, text, "{WROTE}"),
        Level::Info => tracing::info!(conversation, call, text, "{WROTE}"),
        Level::Warn => tracing::warn!(conversation, call, text, "{WROTE}"),
        Level::Error => tracing::error!(conversation, call, text, "{WROTE}"),
    }
}

/// Logs a slow call once, where it ran.
fn answered(conversation: &str, outcome: &Outcome, meta: &Meta) {
    if !meta.over_budget || *outcome == Outcome::Replayed {
        return;
    }
    let (call, tool) = (meta.call_id.as_str(), meta.tool_id.as_str());
    let duration_ms = meta.duration;
    tracing::warn!(
        conversation,
        call,
        tool,
        duration_ms,
        "A call took longer than `latencyBudgetMs`."
    );
}
