//! The facts that the policies of a conversation decide by: its state, its turn, and the calls made so far.

use std::sync::Arc;

use aileron_contract::envelope::Failure;
use aileron_contract::spec::Category;
use aileron_contract::{ConversationId, ErrorType, Mode, ToolSpec, UserId};
use aileron_store::{CallScope, Lease};
use serde_json::{Value, json};

use crate::candidate::{CallOrigin, CandidateCall};
use crate::history::{CallEnd, CallHistory, HistoryIndex};
use crate::key;
use crate::person::Person;
use crate::policy::PolicyName;
use crate::state::ConversationState;

/// The state that admission reads and counts in.
#[derive(Debug, Clone)]
pub(crate) struct PolicyState {
    pub(crate) scope: Arc<CallScope>,
    /// The id under which the person is blocked; see [`Person::block_id`].
    pub(crate) block_id: UserId,
    pub(crate) state: ConversationState,
    pub(crate) turn: u64,
    /// Milliseconds since the Unix epoch.
    pub(crate) turn_began: u64,
    pub(crate) usage: BudgetUsage,
    pub(crate) history: CallHistory,
}

/// How much of the turn's budget is used.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct BudgetUsage {
    pub(crate) retrieval: u32,
    pub(crate) total: u32,
}

impl PolicyState {
    /// The state of a new conversation, for a registry of this version.
    pub(crate) fn begin(
        (conversation, mode): (ConversationId, Mode),
        person: &Person,
        registry_version: &str,
    ) -> Self {
        Self {
            block_id: person.block_id(&conversation),
            scope: Arc::new(CallScope {
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
        }
    }

    /// The current mode.
    pub(crate) fn mode(&self) -> Mode {
        self.scope.mode
    }

    /// Sets the lease under which calls are decided.
    pub(crate) fn set_lease(&mut self, lease: Lease) {
        self.scope = Arc::new(CallScope { lease, ..CallScope::clone(&self.scope) });
    }

    /// Takes the mode from the conversation's state; returns whether it changed. The turn's usage
    /// stays.
    pub(crate) fn update_mode(&mut self) -> bool {
        let mode = self.state.mode();
        let is_other = self.scope.mode != mode;
        if is_other {
            self.scope = Arc::new(CallScope { mode, ..CallScope::clone(&self.scope) });
        }
        is_other
    }

    /// Begins the next turn.
    pub(crate) fn begin_turn(&mut self, keep: usize, now: u64) -> u64 {
        self.turn += 1;
        self.turn_began = now;
        self.usage = BudgetUsage::default();
        self.history.begin(self.turn, keep);
        self.turn
    }

    /// Sets the key of a call whose id does not identify it, from its content in this turn. After a
    /// retryable failure, the same content under another id is another call; under an id that was
    /// used before, it is the call of that id, delivered again.
    pub(crate) fn assign_key(&self, candidate: &mut CandidateCall) {
        if candidate.needs_key() {
            let attempt = self.history.current().attempt(candidate.what(), &candidate.call.call_id);
            let (conversation, tool) = (&self.scope.conversation, &candidate.call.tool_id);
            let content = json!([conversation, self.turn, tool, candidate.shown_args(), attempt]);
            candidate.set_content_key(key::hashed(&content), attempt);
        }
    }

    /// Counts a call that was admitted.
    pub(crate) fn count(&mut self, candidate: &CandidateCall) -> HistoryIndex {
        if !candidate.origin.is_counted() {
            self.usage.total += 1;
            self.usage.retrieval += u32::from(is_retrieval(candidate.spec()));
        }
        self.history.push(candidate.shared_what(), candidate.content_key(), CallEnd::Running)
    }

    /// Gives the budget back that a call of this turn has used.
    pub(crate) fn uncount(&mut self, place: HistoryIndex, spec: Option<&ToolSpec>) {
        if self.history.is_current(place) {
            self.usage.total = self.usage.total.saturating_sub(1);
            let retrieval = u32::from(is_retrieval(spec));
            self.usage.retrieval = self.usage.retrieval.saturating_sub(retrieval);
        }
    }

    /// Counts a refused call if it only waited for the person, and remembers one with invalid
    /// arguments as a failure. Other refused calls use nothing.
    pub(crate) fn count_refused(
        &mut self,
        candidate: &CandidateCall,
        by: PolicyName,
        failure: &Failure,
    ) {
        if by.counts_refused() {
            let place = self.count(candidate);
            self.history.end(place, CallEnd::Succeeded);
        } else if failure.kind == ErrorType::Validation {
            let end = CallEnd::invalid_arguments(failure);
            self.history.push(candidate.shared_what(), candidate.content_key(), end);
        }
    }

    /// Remembers a call that is answered from another one. It uses no budget, but counts as a
    /// repetition.
    pub(crate) fn count_replayed(&mut self, candidate: &CandidateCall) {
        self.history.push(candidate.shared_what(), candidate.content_key(), CallEnd::Succeeded);
    }

    /// Whether the model made a call of the same content in this turn, but not under this id.
    pub(crate) fn is_new_id_of_same_call(&self, candidate: &CandidateCall) -> bool {
        let by_content = candidate.content_key().filter(|_| candidate.origin == CallOrigin::Model);
        by_content.is_some_and(|(id, _)| !self.history.current().has(candidate.what(), id))
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

fn is_retrieval(spec: Option<&ToolSpec>) -> bool {
    spec.is_some_and(|spec| spec.category == Category::Retrieval)
}
