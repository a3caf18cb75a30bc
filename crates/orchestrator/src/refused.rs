//! What calls were told that were not run, so that one that is delivered again is told the same.

use std::collections::VecDeque;
use std::sync::Arc;

use aileron_contract::ToolResponse;

use crate::identity::Identity;

/// How many are remembered: more than a provider delivers again after a lost connection.
const MOST: usize = 256;

/// The answers to the last calls that were not run, by key.
#[derive(Debug, Clone, Default)]
pub(crate) struct Refused(VecDeque<Told>);

#[derive(Debug, Clone)]
struct Told {
    key: Arc<str>,
    answer: Arc<ToolResponse>,
    /// Whether it concerns the person: such answers go last.
    is_persons: bool,
}

impl Refused {
    /// Remembers what a policy said. A call that is known by its content alone is judged anew.
    pub(crate) fn keep(&mut self, call: &Identity, answer: &Arc<ToolResponse>) {
        if call.is_named() {
            self.push(&call.key, answer, false);
        }
    }

    /// Remembers the answer to a call that waits for the person, or that they said no to.
    pub(crate) fn keep_persons(&mut self, key: &Arc<str>, answer: &Arc<ToolResponse>) {
        self.push(key, answer, true);
    }

    /// The call may be made after all.
    pub(crate) fn forget(&mut self, key: &str) {
        self.0.retain(|told| *told.key != *key);
    }

    pub(crate) fn answer(&self, key: &str) -> Option<&Arc<ToolResponse>> {
        self.0.iter().find(|told| *told.key == *key).map(|told| &told.answer)
    }

    fn push(&mut self, key: &Arc<str>, answer: &Arc<ToolResponse>, is_persons: bool) {
        self.forget(key);
        if self.0.len() == MOST {
            let first = self.0.iter().position(|told| !told.is_persons).unwrap_or(0);
            self.0.remove(first);
        }
        self.0.push_back(Told { key: key.clone(), answer: answer.clone(), is_persons });
    }
}
