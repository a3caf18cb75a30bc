//! What a conversation remembers between calls. Guarded by the conversation's lock.

use std::sync::Arc;

use aileron_contract::UserId;
use aileron_contract::spec::Category;
use aileron_store::Scope;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::answered::Answered;
use crate::draft::Draft;
use crate::history::{Ended, History, Place};
use crate::question::Questions;
use crate::refused::Refused;
use crate::state::State;

/// The memory of one conversation.
#[derive(Debug, Clone)]
pub(crate) struct Memory {
    pub(crate) scope: Arc<Scope>,
    /// Under which id the person is blocked; a stranger is blocked in this conversation only.
    pub(crate) block_id: UserId,
    pub(crate) state: State,
    pub(crate) turn: u64,
    pub(crate) usage: Usage,
    pub(crate) history: History,
    pub(crate) questions: Questions,
    pub(crate) refused: Refused,
    pub(crate) answered: Answered,
}

/// What was used of the turn's budget.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Usage {
    pub(crate) retrieval: u32,
    pub(crate) total: u32,
}

impl Memory {
    /// Begins the next turn.
    pub(crate) fn begin_turn(&mut self, keep: usize) -> u64 {
        self.turn += 1;
        self.usage = Usage::default();
        self.history.begin(self.turn, keep);
        self.turn
    }

    /// Counts a call that was let through.
    pub(crate) fn count(&mut self, draft: &Draft) -> Place {
        if !draft.origin.is_counted() {
            self.usage.total += 1;
            let retrieval = draft.spec().is_some_and(|spec| spec.category == Category::Retrieval);
            self.usage.retrieval += u32::from(retrieval);
        }
        self.history.push(&draft.call.tool_id, draft.digest, Ended::Running)
    }

    /// The conversation as conditions see it.
    pub(crate) fn view(&self) -> Value {
        json!({
            "id": self.scope.conversation,
            "turn": self.turn,
            "registryVersion": self.scope.registry_version,
        })
    }
}
