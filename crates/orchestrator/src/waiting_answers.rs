//! What calls were told that wait for the person, so that one that is delivered again is told the
//! same. An entry goes when its question is answered: from then on the ledger has the answer.

use std::collections::HashMap;
use std::sync::Arc;

use aileron_contract::ToolResponse;
use aileron_store::{CallContent, Known, Running};

/// The answers to the calls that wait for the person, by key.
#[derive(Debug, Clone, Default)]
pub(crate) struct WaitingAnswers(HashMap<Arc<str>, Entry>);

#[derive(Debug, Clone)]
struct Entry {
    content: CallContent,
    /// Finished, or running while the person is yet to be asked.
    known: Known,
}

impl WaitingAnswers {
    /// Remembers what a call was told that waits for the person.
    pub(crate) fn keep(
        &mut self,
        key: &Arc<str>,
        content: CallContent,
        answer: &Arc<ToolResponse>,
    ) {
        let known = Known::Finished(answer.clone());
        self.0.insert(key.clone(), Entry { content, known });
    }

    /// Remembers that a call is being put to the person; what it is told comes later.
    pub(crate) fn keep_asking(&mut self, key: &Arc<str>, content: CallContent, asking: Running) {
        self.0.insert(key.clone(), Entry { content, known: Known::Running(asking) });
    }

    /// The person was asked: the call is told this.
    pub(crate) fn asked(&mut self, key: &str, answer: &Arc<ToolResponse>) {
        if let Some(entry) = self.0.get_mut(key) {
            entry.known = Known::Finished(answer.clone());
        }
    }

    /// The call waits no longer.
    pub(crate) fn forget(&mut self, key: &str) {
        self.0.remove(key);
    }

    pub(crate) fn has(&self, key: &str) -> bool {
        self.0.contains_key(key)
    }

    /// What the call was told, or will be.
    pub(crate) fn known(&self, key: &str) -> Option<Known> {
        self.0.get(key).map(|entry| entry.known.clone())
    }

    /// The tool and the arguments of the call that waits under this key.
    pub(crate) fn content(&self, key: &str) -> Option<CallContent> {
        self.0.get(key).map(|entry| entry.content.clone())
    }
}
