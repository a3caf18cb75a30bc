//! The facts a policy may read. A policy changes nothing.

use std::collections::HashMap;

use aileron_contract::{ConversationId, Mode, UserId};
use aileron_store::{CallContent, CallStatus, Counter, Store, StoreError};
use serde_json::Value;

use crate::config::Config;
use crate::confirmation::Confirmations;
use crate::person::Person;
use crate::policy_state::PolicyState;
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

    /// How long a counter stays full after `more` further calls; `None` if a call fits now.
    fn rate_wait_ms(
        &self,
        counter: &Counter,
        more: u64,
        now: u64,
    ) -> Result<Option<u64>, StoreError>;
}

/// A store as admission sees it.
pub(crate) struct StoreView<'a>(pub(crate) &'a dyn Store);

impl LedgerView for StoreView<'_> {
    fn call_status(
        &self,
        conversation: &ConversationId,
        key: &str,
    ) -> Result<Option<CallStatus>, StoreError> {
        self.0.lookup(conversation, key)
    }

    fn call_content(
        &self,
        conversation: &ConversationId,
        key: &str,
    ) -> Result<Option<CallContent>, StoreError> {
        self.0.content(conversation, key)
    }

    fn blocked_until(&self, user: &UserId) -> Option<u64> {
        self.0.blocked_until(user)
    }

    fn rate_wait_ms(
        &self,
        counter: &Counter,
        more: u64,
        now: u64,
    ) -> Result<Option<u64>, StoreError> {
        self.0.wait_to_count(counter, more, now)
    }
}

/// How many calls of a batch were admitted, by the names of their rate counters. The store has not
/// counted them yet.
#[derive(Debug, Default)]
pub(crate) struct BatchCounts(HashMap<String, u64>);

impl BatchCounts {
    pub(crate) fn of(&self, counter: &Counter) -> u64 {
        self.0.get(&counter.name).copied().unwrap_or_default()
    }

    pub(crate) fn add(&mut self, counter: &Counter) {
        *self.0.entry(counter.name.clone()).or_default() += 1;
    }
}
