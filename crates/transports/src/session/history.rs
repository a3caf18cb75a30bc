//! The replay history: messages and results for a provider that cannot resume. The newest are kept.

use std::collections::VecDeque;

use aileron_contract::transport::{DeferredInput, HistoryMessage, Speaker};

use crate::answer::earlier_words;

/// Maximum number of bytes of text.
const MAX_BYTES: usize = 48 * 1024;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct ReplayHistory {
    said: VecDeque<HistoryMessage>,
    bytes: usize,
    /// How many model messages belong to a turn that has not ended.
    unfinished: usize,
    /// Whether the model is in the middle of an utterance.
    speaking: bool,
    /// How many of the last messages are texts that the person sent during that utterance: they come after it.
    after: usize,
}

impl ReplayHistory {
    pub(super) fn new(said: &[HistoryMessage]) -> Self {
        let mut history = Self::default();
        said.iter().for_each(|said| history.add(said.by, &said.text));
        history.turn_ended();
        history
    }

    pub(super) fn add(&mut self, by: Speaker, text: &str) {
        if !is_kept(text) {
            return;
        }
        self.bytes += text.len();
        let said = HistoryMessage { by, text: text.to_owned() };
        match by {
            Speaker::Person => {
                self.said.push_back(said);
                self.after += usize::from(self.after > 0);
            }
            Speaker::Model => {
                let after = std::mem::take(&mut self.after);
                self.said.insert(self.said.len().saturating_sub(after), said);
                self.unfinished += 1;
                self.speaking = false;
            }
        }
        while self.bytes > MAX_BYTES {
            let Some(oldest) = self.said.pop_front() else { break };
            self.bytes -= oldest.text.len();
        }
    }

    /// An input was sent. A result is kept as the text that a model which continues a conversation is given.
    pub(super) fn on_sent(&mut self, held: &DeferredInput) {
        let Some(words) = words(held) else { return };
        let is_text = matches!(held, DeferredInput::Text(_)) && is_kept(&words);
        let cuts_in = self.speaking && self.after == 0 && is_text;
        self.add(Speaker::Person, &words);
        self.after += usize::from(cuts_in);
    }

    /// The model is in the middle of an utterance.
    pub(super) fn model_speaks(&mut self) {
        self.speaking = true;
    }

    /// Removes an input that will be sent again.
    pub(super) fn remove(&mut self, held: &DeferredInput) {
        let Some(words) = words(held) else { return };
        let mine = |said: &HistoryMessage| said.by == Speaker::Person && said.text == words;
        self.remove_at(self.said.iter().rposition(mine));
    }

    /// The model's turn ended, so its messages stay.
    pub(super) fn turn_ended(&mut self) {
        (self.unfinished, self.speaking, self.after) = (0, false, 0);
    }

    /// The partial reply is lost, and starts again.
    pub(super) fn drop_partial_reply(&mut self) {
        for _ in 0..std::mem::take(&mut self.unfinished) {
            self.remove_at(self.said.iter().rposition(|said| said.by == Speaker::Model));
        }
    }

    fn remove_at(&mut self, at: Option<usize>) {
        if let Some(said) = at.and_then(|at| self.said.remove(at)) {
            self.bytes -= said.text.len();
        }
    }

    pub(super) fn said(&self) -> Vec<HistoryMessage> {
        self.said.iter().cloned().collect()
    }
}

fn is_kept(text: &str) -> bool {
    !text.trim().is_empty() && text.len() <= MAX_BYTES
}

/// An input as text. A pending message is added when the model has spoken it.
fn words(held: &DeferredInput) -> Option<String> {
    match held {
        DeferredInput::Text(text) => Some(text.clone()),
        DeferredInput::Result(result) => Some(earlier_words(&result.call_id, &result.response)),
        DeferredInput::Opening(_) => None,
    }
}
