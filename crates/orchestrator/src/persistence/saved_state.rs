//! The state of a conversation's saves, and the document that is saved next.

use serde_json::{Value, json};

use super::pending_saves::PendingSaves;
use crate::assignment::AssignedRegistry;
use crate::confirmation::Confirmations;
use crate::policy_state::PolicyState;
use crate::state::ConversationState;

#[derive(Debug)]
pub(crate) struct SavedState {
    /// Set while a change is being written.
    pub(super) next: Option<NextState>,
    pub(super) saves: PendingSaves,
    /// Whether another process has saved the conversation since.
    pub(super) is_stale: bool,
    stable: Option<StableText>,
    /// Why the conversation has its registry. It never changes.
    pub(super) assigned: Option<AssignedRegistry>,
}

/// The next state of a conversation while it is being written. An event that arrives meanwhile is
/// applied to both states.
#[derive(Debug, Clone)]
pub(super) struct NextState {
    pub(super) turn: u64,
    pub(super) turn_began: u64,
    pub(super) state: ConversationState,
}

impl NextState {
    pub(super) fn of(policy: &PolicyState) -> Self {
        let PolicyState { turn, turn_began, ref state, .. } = *policy;
        Self { turn, turn_began, state: state.clone() }
    }
}

/// The part of the document that seldom changes, as text, so that a turn does not serialise it
/// again.
#[derive(Debug)]
struct StableText {
    state: ConversationState,
    /// The revision of the confirmations.
    revision: u64,
    text: String,
}

impl SavedState {
    /// No change is being written; the store has this version.
    pub(crate) fn at(version: u64, assigned: Option<AssignedRegistry>) -> Self {
        let saves = PendingSaves::at(version);
        Self { next: None, saves, is_stale: false, stable: None, assigned }
    }

    /// Notes that the store has this version, and that this process owns it.
    pub(super) fn reset(&mut self, version: u64) {
        (self.saves, self.is_stale, self.stable) = (PendingSaves::at(version), false, None);
    }

    /// The next state of the conversation, if a change is being written.
    pub(crate) fn next_state(&mut self) -> Option<&mut ConversationState> {
        self.next.as_mut().map(|next| &mut next.state)
    }

    /// The document of the current state, or of the next one.
    pub(crate) fn document(
        &mut self,
        policy: &PolicyState,
        confirmations: &Confirmations,
    ) -> Value {
        let (turn, turn_began, state) = match &self.next {
            Some(next) => (next.turn, next.turn_began, &next.state),
            None => (policy.turn, policy.turn_began, &policy.state),
        };
        let revision = confirmations.revision();
        let is_current =
            |stable: &&StableText| stable.revision == revision && stable.state == *state;
        let text = match self.stable.as_ref().filter(is_current) {
            Some(stable) => stable.text.clone(),
            None => {
                let text = stable_text(policy, confirmations, state, self.assigned.as_ref());
                let stable = StableText { state: state.clone(), revision, text: text.clone() };
                self.stable = Some(stable);
                text
            }
        };
        json!({ "turn": turn, "turnBegan": turn_began, "lasting": text })
    }
}

fn stable_text(
    policy: &PolicyState,
    confirmations: &Confirmations,
    state: &ConversationState,
    assigned: Option<&AssignedRegistry>,
) -> String {
    let mut stable = json!({
        "user": policy.scope.user,
        "registryVersion": policy.scope.registry_version,
        "state": state,
        "decided": confirmations.resolved(),
    });
    if let Some(assigned) = assigned {
        stable["assigned"] = json!(assigned);
    }
    stable.to_string()
}
