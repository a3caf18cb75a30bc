//! The earlier messages as text, for a live model that continues a conversation, from chat and voice alike. The
//! history of a live provider takes no calls, so a result becomes a note.

use aileron_contract::text::{ChatMessage, ReplyPart, ToolResultMessage};
use aileron_contract::transport::{HistoryMessage as Words, Speaker};
use aileron_transports::earlier_words;

use crate::history::{LoggedMessage, compact};

/// The earlier messages for a live model.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Recap {
    /// As text, the oldest first.
    pub said: Vec<Words>,
    /// A sentence for the instructions if the beginning was omitted.
    pub left_out: Option<String>,
}

/// The messages of a history that fit into so many tokens, by the same rule as in text.
pub(crate) fn recap(said: &[LoggedMessage], window_tokens: usize) -> Recap {
    let compacted = compact(said, window_tokens);
    let left_out = compacted.left_out();
    let said = compacted.messages.iter().flat_map(words);
    Recap { said: said.filter(|words| !words.text.trim().is_empty()).collect(), left_out }
}

fn words(message: &ChatMessage) -> Vec<Words> {
    match message {
        ChatMessage::Person { text } => vec![Words { by: Speaker::Person, text: text.clone() }],
        ChatMessage::Model { parts, .. } => {
            let text = parts.iter().filter_map(spoken).collect();
            vec![Words { by: Speaker::Model, text }]
        }
        ChatMessage::Results { answers } => answers.iter().map(note).collect(),
        ChatMessage::Late { answer } => vec![note(answer)],
    }
}

fn spoken(part: &ReplyPart) -> Option<&str> {
    match part {
        ReplyPart::Text { text } => Some(text),
        ReplyPart::Reasoning { .. } | ReplyPart::Call { .. } => None,
    }
}

/// Providers have no third speaker, so the note itself says that it is not from the person.
fn note(answer: &ToolResultMessage) -> Words {
    Words { by: Speaker::Person, text: earlier_words(&answer.call_id, &answer.response) }
}

#[cfg(test)]
#[path = "recap_tests.rs"]
mod tests;
