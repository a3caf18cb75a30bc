//! What was said, for a provider that has to be told again. The newest is kept.

use std::collections::VecDeque;

use aileron_contract::transport::{Said, Speaker};

/// The most bytes of words that are kept.
const MOST_BYTES: usize = 48 * 1024;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct History {
    said: VecDeque<Said>,
    bytes: usize,
}

impl History {
    pub(super) fn new(said: &[Said]) -> Self {
        let mut history = Self::default();
        said.iter().for_each(|said| history.add(said.by, &said.text));
        history
    }

    pub(super) fn add(&mut self, by: Speaker, text: &str) {
        if text.trim().is_empty() || text.len() > MOST_BYTES {
            return;
        }
        self.bytes += text.len();
        self.said.push_back(Said { by, text: text.to_owned() });
        while self.bytes > MOST_BYTES {
            let Some(oldest) = self.said.pop_front() else { break };
            self.bytes -= oldest.text.len();
        }
    }

    /// Takes back the last thing that somebody said in these words.
    pub(super) fn forget(&mut self, by: Speaker, text: &str) {
        let at = self.said.iter().rposition(|said| said.by == by && said.text == text);
        if let Some(said) = at.and_then(|at| self.said.remove(at)) {
            self.bytes -= said.text.len();
        }
    }

    pub(super) fn said(&self) -> Vec<Said> {
        self.said.iter().cloned().collect()
    }
}
