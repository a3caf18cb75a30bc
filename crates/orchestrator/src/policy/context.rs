//! The facts a policy may read. A policy changes nothing.

use std::collections::HashMap;

use aileron_contract::{ConversationId, Mode, UserId};
use aileron_store::{CallContent, CallStatus, Counter, Store, StoreError, TaskCounts};
use serde_json::Value;

use crate::config::Config;
use crate::confirmation::Confirmations;
use crate::person::Person;
use crate::policy_state::PolicyState;
use crate::task::{RunningTasks, TaskOwner};
use crate::toolset::Toolset;

#[derive(Clone, Copy)]
pub(crate) struct PolicyContext<'a> {
    pub(crate) now: u64,
    pub(crate) mode: Mode,
    pub(crate) config: &'a Config,
    pub(crate) person: &'a Person,
    /// The person as conditions see them.
    pub(crate) user: &'a Value,
    pub(crate) toolset: &'a Toolset,
    pub(crate) state: &'a PolicyState,
    pub(crate) confirmations: &'a Confirmations,
    pub(crate) counts: &'a BatchCounts,
    pub(crate) ledger: &'a dyn LedgerView,
}

/// The part of the store that admission reads: earlier calls, blocks, rate counters.
pub(crate) trait LedgerView {
    /// The status of the call with this key.
    fn call_status(
        &self,
        conversation: &ConversationId,
        key: &str,
    ) -> Result<Option<CallStatus>, StoreError>;

    /// The tool and the arguments of the call of this key.
    fn call_content(
        &self,
        conversation: &ConversationId,
        key: &str,
    ) -> Result<Option<CallContent>, StoreError>;

    fn blocked_until(&self, user: &UserId) -> Option<u64>;

    /// How many tasks run in the conversation and for its person.
    fn running_tasks(&self, state: &PolicyState) -> Result<TaskCounts, StoreError>;

    /// How long a counter stays full after `more` further calls; `None` if a call fits now.
    fn rate_wait_ms(
        &self,
        counter: &Counter,
        more: u64,
        now: u64,
    ) -> Result<Option<u64>, StoreError>;
}

/// A store as admission sees it.
pub(crate) struct StoreView<'a> {
    pub(crate) store: &'a dyn Store,
    pub(crate) tasks: &'a RunningTasks,
}

impl LedgerView for StoreView<'_> {
    fn call_status(
        &self,
        conversation: &ConversationId,
        key: &str,
    ) -> Result<Option<CallStatus>, StoreError> {
        self.store.lookup(conversation, key)
    }

    fn call_content(
        &self,
        conversation: &ConversationId,
        key: &str,
    ) -> Result<Option<CallContent>, StoreError> {
        self.store.content(conversation, key)
    }

    fn blocked_until(&self, user: &UserId) -> Option<u64> {
        self.store.blocked_until(user)
    }

    /// The store knows the tasks of all processes, this process also those that are about to begin.
    fn running_tasks(&self, state: &PolicyState) -> Result<TaskCounts, StoreError> {
        let scope = &state.scope;
        let owner =
            TaskOwner { conversation: scope.conversation.clone(), person: state.block_id.clone() };
        let stored = self.store.count_tasks(&scope.conversation, scope.user.as_ref())?;
        let here = self.tasks.count(&owner);
        Ok(TaskCounts {
            conversation: stored.conversation.max(here.conversation),
            user: stored.user.max(here.user),
        })
    }

    fn rate_wait_ms(
        &self,
        counter: &Counter,
        more: u64,
        now: u64,
    ) -> Result<Option<u64>, StoreError> {
        self.store.wait_to_count(counter, more, now)
    }
}

/// How many calls of a batch were admitted: by the names of their rate counters, and how many run in
/// the background. The store has not counted them yet.
#[derive(Debug, Default)]
pub(crate) struct BatchCounts {
    by_counter: HashMap<String, u64>,
    tasks: usize,
}

impl BatchCounts {
    pub(crate) fn of(&self, counter: &Counter) -> u64 {
        self.by_counter.get(&counter.name).copied().unwrap_or_default()
    }

    pub(crate) fn add(&mut self, counter: &Counter) {
        *self.by_counter.entry(counter.name.clone()).or_default() += 1;
    }

    pub(crate) fn tasks(&self) -> usize {
        self.tasks
    }

    pub(crate) fn add_task(&mut self) {
        self.tasks += 1;
    }
}
