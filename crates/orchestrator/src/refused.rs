//! What refused calls were told, so that one that is delivered again is told the same.

use std::collections::VecDeque;
use std::sync::Arc;

use aileron_contract::ToolResponse;

use crate::identity::Identity;

/// How many are remembered: more than a provider delivers again after a lost connection.
const MOST: usize = 64;

/// The answers to the last calls that were not run, by the provider's ids. What is known by its
/// content alone is judged anew each time.
#[derive(Debug, Clone, Default)]
pub(crate) struct Refused(VecDeque<(Arc<str>, Arc<ToolResponse>)>);

impl Refused {
    /// Remembers an answer, in place of an earlier one to the same call.
    pub(crate) fn keep(&mut self, call: &Identity, answer: &Arc<ToolResponse>) {
        if *call.key == *call.call_id.as_str() {
            self.replace(&call.key, answer);
        }
    }

    pub(crate) fn replace(&mut self, key: &Arc<str>, answer: &Arc<ToolResponse>) {
        self.forget(key);
        if self.0.len() == MOST {
            self.0.pop_front();
        }
        self.0.push_back((key.clone(), answer.clone()));
    }

    pub(crate) fn forget(&mut self, key: &str) {
        self.0.retain(|(known, _)| **known != *key);
    }

    pub(crate) fn answer(&self, key: &str) -> Option<&Arc<ToolResponse>> {
        self.0.iter().find(|(known, _)| **known == *key).map(|(_, answer)| answer)
    }
}
