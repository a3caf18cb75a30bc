//! A conversation: the owners of its parts, composed. The policy state and the confirmations share one
//! lock, because a batch is admitted against both at once; running calls and executing have their own.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use aileron_contract::Mode;
use serde_json::Value;

use crate::confirmation::Confirmations;
use crate::conversation_info::ConversationInfo;
use crate::executor::Executor;
use crate::persistence::SavedState;
use crate::policy_state::PolicyState;
use crate::state::ConversationState;

#[derive(Debug)]
pub(crate) struct ConversationCore {
    pub(crate) info: Arc<ConversationInfo>,
    pub(crate) executor: Executor,
    /// Held while a confirmation is being resolved: one answer at a time.
    pub(crate) deciding: Arc<tokio::sync::Mutex<()>>,
    /// Held while an acknowledged change is written: one change at a time.
    pub(crate) changing: tokio::sync::Mutex<()>,
    locked: Mutex<Locked>,
}

/// The parts that change.
#[derive(Debug)]
pub(crate) struct Locked {
    pub(crate) policy: PolicyState,
    pub(crate) confirmations: Confirmations,
    pub(crate) saved: SavedState,
}

impl ConversationCore {
    pub(crate) fn new(info: Arc<ConversationInfo>, locked: Locked) -> Self {
        Self {
            executor: Executor::new(info.clone()),
            info,
            deciding: Arc::default(),
            changing: tokio::sync::Mutex::default(),
            locked: Mutex::new(locked),
        }
    }

    pub(crate) fn lock(&self) -> MutexGuard<'_, Locked> {
        self.locked.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn mode(&self) -> Mode {
        self.lock().policy.mode()
    }
}

impl Locked {
    /// The document that the store keeps of the conversation.
    pub(crate) fn document(&mut self) -> Value {
        self.saved.document(&self.policy, &self.confirmations)
    }

    /// Replaces the state of the conversation.
    pub(crate) fn set_state(&mut self, state: ConversationState) {
        self.policy.state = state;
        self.update_mode();
    }

    /// Takes the mode from the state. Confirmations requested in the other mode can be answered
    /// only by a click.
    pub(crate) fn update_mode(&mut self) {
        if self.policy.update_mode() {
            self.confirmations.stop_listening();
        }
    }
}
