//! What calls were told that were not run, so that one that is delivered again is told the same.

use std::collections::VecDeque;
use std::sync::Arc;

use aileron_contract::ToolResponse;
use aileron_store::{Known, Running};

use crate::identity::Identity;

/// How many are remembered: more than a provider delivers again after a lost connection.
const MOST: usize = 256;

/// The answers to the last calls that were not run, by key.
#[derive(Debug, Clone, Default)]
pub(crate) struct Refused(VecDeque<Told>);

#[derive(Debug, Clone)]
struct Told {
    key: Arc<str>,
    /// Finished, or running while the person is yet to be asked.
    known: Known,
    /// Whether it concerns the person: such answers go last.
    is_persons: bool,
}

impl Refused {
    /// Remembers what a policy said. A call that is known by its content alone is judged anew.
    pub(crate) fn keep(&mut self, call: &Identity, answer: &Arc<ToolResponse>) {
        if call.is_named() {
            self.push(&call.key, Known::Finished(answer.clone()), false);
        }
    }

    /// Remembers the answer to a call that waits for the person, or that they said no to.
    pub(crate) fn keep_persons(&mut self, key: &Arc<str>, answer: &Arc<ToolResponse>) {
        self.push(key, Known::Finished(answer.clone()), true);
    }

    /// Remembers that a call is being put to the person; what it is told comes later.
    pub(crate) fn keep_asking(&mut self, key: &Arc<str>, asking: Running) {
        self.push(key, Known::Running(asking), true);
    }

    /// The call may be made after all.
    pub(crate) fn forget(&mut self, key: &str) {
        self.0.retain(|told| *told.key != *key);
    }

    /// What the call was told, or will be.
    pub(crate) fn known(&self, key: &str) -> Option<Known> {
        self.0.iter().find(|told| *told.key == *key).map(|told| told.known.clone())
    }

    fn push(&mut self, key: &Arc<str>, known: Known, is_persons: bool) {
        self.forget(key);
        if self.0.len() == MOST {
            let first = self.0.iter().position(|told| !told.is_persons).unwrap_or(0);
            self.0.remove(first);
        }
        self.0.push_back(Told { key: key.clone(), known, is_persons });
    }
}
