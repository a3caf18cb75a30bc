//! The parts that all conversations of an orchestrator share: settings, store, clock, platform, observer.

use std::sync::{Arc, Mutex, PoisonError};

use aileron_capability::{Clock, Platform};
use aileron_contract::ConversationId;
use aileron_store::Store;

use crate::config::Config;
use crate::event::Observer;
use crate::in_flight::InFlight;
use crate::maintenance::Maintenance;
use crate::open_error::OpenError;
use crate::person::Person;
use crate::task::RunningTasks;
use crate::token::Signer;
use crate::toolsets::Toolsets;
use crate::yes_no::Grammar;

#[derive(Debug)]
pub(crate) struct Services {
    pub(crate) config: Config,
    pub(crate) store: Arc<dyn Store>,
    pub(crate) platform: Arc<Platform>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) observer: Arc<dyn Observer>,
    pub(crate) signer: Signer,
    pub(crate) grammar: Arc<Grammar>,
    pub(crate) maintenance: Maintenance,
    pub(crate) in_flight: Arc<InFlight>,
    pub(crate) tasks: Arc<RunningTasks>,
    pub(crate) toolsets: Toolsets,
    pub(crate) ended: EndedConversations,
}

impl Services {
    pub(crate) fn now(&self) -> u64 {
        self.clock.now_ms()
    }

    /// Fails if the person is blocked.
    pub(crate) fn check_blocked(
        &self,
        id: &ConversationId,
        person: &Person,
    ) -> Result<(), OpenError> {
        let now = self.now();
        match self.store.blocked_until(&person.block_id(id)) {
            Some(until) if until > now => Err(OpenError::Blocked { until, left_ms: until - now }),
            _ => Ok(()),
        }
    }
}

/// Conversations that have ended and that the orchestrator may drop when it next uses its list.
#[derive(Debug, Default)]
pub(crate) struct EndedConversations(Mutex<Vec<ConversationId>>);

impl EndedConversations {
    pub(crate) fn push(&self, id: &ConversationId) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(id.clone());
    }

    pub(crate) fn take(&self) -> Vec<ConversationId> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
