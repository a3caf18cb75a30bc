//! An event without the values of secrets.

use std::sync::Arc;

use aileron_capability::secrets::Masks;

use super::ConversationEvent;

impl ConversationEvent {
    /// The same event with every secret that a handler received masked. Costs nothing if no handler
    /// received one.
    pub(crate) fn masked(self, masks: &Masks) -> Self {
        if masks.is_empty() {
            return self;
        }
        let text = |text: String| masks.text(&text).into_owned();
        match self {
            Self::Progress { call_id, update } => {
                Self::Progress { call_id, update: masks.value(update) }
            }
            Self::Partial { call_id, index, data } => {
                Self::Partial { call_id, index, data: masks.value(data) }
            }
            Self::Answered { outcome, mut answer } => {
                masks.response(Arc::make_mut(&mut answer));
                Self::Answered { outcome, answer }
            }
            Self::ConfirmationRequested(mut request) => {
                masks.request(&mut request);
                Self::ConfirmationRequested(request)
            }
            Self::ConfirmationRepeated { preview } => {
                Self::ConfirmationRepeated { preview: text(preview) }
            }
            Self::Message { call_id, message } => {
                Self::Message { call_id, message: masks.value(message) }
            }
            Self::Note { call_id, event, details } => {
                Self::Note { call_id, event: text(event), details: masks.value(details) }
            }
            Self::Log { call_id, level, text: said } => {
                Self::Log { call_id, level, text: text(said) }
            }
            Self::IntentRefused { call_id, mut intent, why } => {
                masks.intent(&mut intent);
                Self::IntentRefused { call_id, intent, why }
            }
            Self::Defect { call_id, tool, what } => {
                Self::Defect { call_id, tool, what: text(what) }
            }
            Self::Decided(mut decided) => {
                let args = &mut Arc::make_mut(&mut decided).args;
                *args = masks.value(std::mem::take(args));
                Self::Decided(decided)
            }
            Self::Began { .. }
            | Self::ModeChanged { .. }
            | Self::Ended { .. }
            | Self::TurnBegan { .. }
            | Self::Retrying { .. }
            | Self::Started { .. }
            | Self::Task { .. }
            | Self::ConfirmationClosed { .. }
            | Self::Effect(_) => self,
        }
    }
}
