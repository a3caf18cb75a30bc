//! What became of calls that waited for the person, kept with the conversation: who answers twice
//! is told what the first answer led to, and a call that was denied is not made when its provider
//! delivers it again.

use std::collections::VecDeque;

use aileron_contract::CallId;
use serde::{Deserialize, Serialize};

use crate::question::Held;

/// How many of each are remembered: more than a provider delivers again.
const MOST: usize = 64;

/// The last calls the person decided about, oldest first.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Answered {
    approved: VecDeque<Approved>,
    /// The keys of calls that were denied.
    denied: VecDeque<String>,
}

/// What an approved question was about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Approved {
    question: String,
    pub(crate) call_id: CallId,
    pub(crate) tool_id: String,
    pub(crate) key: String,
}

impl Answered {
    /// The question was answered with yes.
    pub(crate) fn approve(&mut self, question: &str, asked: &Held) {
        let Held { call, key } = asked;
        let (call_id, tool_id) = (call.call_id.clone(), call.tool_id.clone());
        let approved =
            Approved { question: question.to_owned(), call_id, tool_id, key: key.clone() };
        push(&mut self.approved, approved);
    }

    /// The call must not be made any more.
    pub(crate) fn deny(&mut self, key: &str) {
        push(&mut self.denied, key.to_owned());
    }

    pub(crate) fn approved(&self, question: &str) -> Option<&Approved> {
        self.approved.iter().find(|approved| approved.question == question)
    }

    pub(crate) fn is_denied(&self, key: &str) -> bool {
        self.denied.iter().any(|denied| denied == key)
    }

    /// Takes over what was decided in another process.
    pub(crate) fn merge(&mut self, theirs: Self) {
        let Self { approved, denied } = theirs;
        approved.into_iter().for_each(|one| push(&mut self.approved, one));
        denied.into_iter().for_each(|one| push(&mut self.denied, one));
    }
}

fn push<T: PartialEq>(list: &mut VecDeque<T>, one: T) {
    if list.contains(&one) {
        return;
    }
    if list.len() == MOST {
        list.pop_front();
    }
    list.push_back(one);
}
