//! What a conversation remembers between calls. Guarded by the conversation's lock.

use std::sync::Arc;

use aileron_contract::spec::Category;
use aileron_contract::{ConversationId, Mode, ToolSpec, UserId};
use aileron_store::{Lease, Scope};
use serde_json::{Value, json};

use crate::candidate::{CallOrigin, CandidateCall};
use crate::history::{CallEnd, CallHistory, HistoryIndex};
use crate::person::Person;
use crate::question::OpenConfirmations;
use crate::state::ConversationState;
use crate::waiting_answers::WaitingAnswers;

/// The memory of one conversation.
#[derive(Debug, Clone)]
pub(crate) struct PolicyState {
    pub(crate) scope: Arc<Scope>,
    /// Under which id the person is blocked; see [`Person::block_id`].
    pub(crate) block_id: UserId,
    pub(crate) state: ConversationState,
    pub(crate) turn: u64,
    /// Milliseconds since the Unix epoch.
    pub(crate) turn_began: u64,
    pub(crate) usage: BudgetUsage,
    pub(crate) history: CallHistory,
    pub(crate) questions: OpenConfirmations,
    pub(crate) deferred: WaitingAnswers,
}

/// What was used of the turn's budget.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct BudgetUsage {
    pub(crate) retrieval: u32,
    pub(crate) total: u32,
}

impl PolicyState {
    /// The memory of a conversation that begins, for a registry of this version.
    pub(crate) fn begin(
        (conversation, mode): (ConversationId, Mode),
        person: &Person,
        registry_version: &str,
    ) -> Self {
        Self {
            block_id: person.block_id(&conversation),
            scope: Arc::new(Scope {
                conversation,
                user: person.id.clone(),
                mode,
                registry_version: registry_version.to_owned(),
                lease: Lease::unowned(),
            }),
            state: ConversationState::new(mode),
            turn: 0,
            turn_began: 0,
            usage: BudgetUsage::default(),
            history: CallHistory::default(),
            questions: OpenConfirmations::default(),
            deferred: WaitingAnswers::default(),
        }
    }

    /// How the conversation is held at the moment.
    pub(crate) fn mode(&self) -> Mode {
        self.scope.mode
    }

    /// Decisions are made under this lease from here on.
    pub(crate) fn take_lease(&mut self, lease: Lease) {
        self.scope = Arc::new(Scope { lease, ..Scope::clone(&self.scope) });
    }

    /// The conversation goes on in another mode. What the turn has used stays used, and questions
    /// that were asked by voice are answered by a click, as those that were asked in text.
    pub(crate) fn move_to(&mut self, mode: Mode) {
        self.state.move_to(mode);
        self.follow_mode();
    }

    /// Takes note of the mode that the state is in.
    pub(crate) fn follow_mode(&mut self) {
        let mode = self.state.mode();
        if self.scope.mode != mode {
            self.scope = Arc::new(Scope { mode, ..Scope::clone(&self.scope) });
            self.questions.stop_listening();
        }
    }

    /// Begins the next turn.
    pub(crate) fn begin_turn(&mut self, keep: usize, now: u64) -> u64 {
        self.turn += 1;
        self.turn_began = now;
        self.usage = BudgetUsage::default();
        self.history.begin(self.turn, keep);
        self.turn
    }

    /// Counts a call that was let through.
    pub(crate) fn count(&mut self, candidate: &CandidateCall) -> HistoryIndex {
        if !candidate.origin.is_counted() {
            self.usage.total += 1;
            let retrieval =
                candidate.spec().is_some_and(|spec| spec.category == Category::Retrieval);
            self.usage.retrieval += u32::from(retrieval);
        }
        self.history.push(candidate.what(), candidate.content_key(), CallEnd::Running)
    }

    /// Takes back what a call of this turn has used of the budget.
    pub(crate) fn uncount(&mut self, place: HistoryIndex, spec: Option<&ToolSpec>) {
        if self.history.is_current(place) {
            self.usage.total = self.usage.total.saturating_sub(1);
            let retrieval = spec.is_some_and(|spec| spec.category == Category::Retrieval);
            self.usage.retrieval = self.usage.retrieval.saturating_sub(u32::from(retrieval));
        }
    }

    /// Whether the model has not made this call before in the turn, although it asks for the same
    /// as one that it made: its id is another.
    pub(crate) fn is_new_id_of_same_call(&self, candidate: &CandidateCall) -> bool {
        let content_key = candidate.content_key().filter(|_| candidate.origin == CallOrigin::Model);
        content_key.is_some_and(|(id, _)| !self.history.current().has(candidate.what(), id))
    }

    /// Takes note of a call that is answered from another one. It uses no budget, but a model that
    /// repeats itself is told so.
    pub(crate) fn repeat(&mut self, candidate: &CandidateCall) {
        self.history.push(candidate.what(), candidate.content_key(), CallEnd::Well);
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
