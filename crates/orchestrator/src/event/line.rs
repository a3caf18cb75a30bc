//! An event as one line, for a person who runs a tool at a terminal.

use aileron_capability::conversation::Level;
use serde_json::{Value, json};

use super::ConversationEvent;

impl ConversationEvent {
    /// The event as one line. `None` for events that need no line, because the answer shows their
    /// effect.
    pub fn line(&self) -> Option<String> {
        Some(match self {
            Self::Progress { update, .. } => format!("progress: {}", words(update)),
            Self::Partial { data, .. } => format!("partial: {}", words(data)),
            Self::Task { task_id, status, .. } => format!("task {task_id}: {status}"),
            Self::Message { message, .. } => format!("message: {}", words(message)),
            Self::Note { event, details, .. } => format!("note {event}: {}", words(details)),
            Self::Log { level, text, .. } => format!("log {}: {text}", loudness(*level)),
            Self::IntentRefused { intent, why, .. } => {
                format!("intent refused: {}: {why}", json!(intent))
            }
            Self::Defect { tool, what, .. } => format!("defect of {tool}: {what}"),
            Self::Began { .. }
            | Self::ModeChanged { .. }
            | Self::Ended { .. }
            | Self::TurnBegan { .. }
            | Self::Decided(_)
            | Self::Started { .. }
            | Self::Retrying { .. }
            | Self::Answered { .. }
            | Self::ConfirmationRequested(_)
            | Self::ConfirmationRepeated { .. }
            | Self::ConfirmationClosed { .. }
            | Self::Effect(_) => return None,
        })
    }
}

/// Text as it is, everything else as JSON.
fn words(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn loudness(level: Level) -> &'static str {
    match level {
        Level::Debug => "debug",
        Level::Info => "info",
        Level::Warn => "warning",
        Level::Error => "error",
    }
}
