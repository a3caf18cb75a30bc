//! The answers that memory still holds although they are on disk: the newest, up to a number of
//! bytes. `size` estimates the bytes of each.

mod size;

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use aileron_contract::ToolResponse;

use crate::call::{CallScope, CallStart};
use crate::ledger_cache::LedgerCache;

#[derive(Debug)]
pub(super) struct AnswerCache {
    calls: VecDeque<(Arc<CallStart>, usize)>,
    /// The number of calls that use each scope, by its address: a scope is held once for all of
    /// them.
    scopes: HashMap<usize, usize>,
    bytes: usize,
    limit: usize,
}

impl AnswerCache {
    pub(super) fn new(limit: usize) -> Self {
        Self { calls: VecDeque::new(), scopes: HashMap::new(), bytes: 0, limit }
    }

    /// Adds a finished call that is on disk, and evicts the oldest ones beyond the limit.
    pub(super) fn push(
        &mut self,
        cache: &LedgerCache,
        call: Arc<CallStart>,
        answer: &ToolResponse,
    ) {
        let bytes = size::of_call(&call, answer);
        self.bytes += bytes + self.add(&call.scope);
        self.calls.push_back((call, bytes));
        while self.bytes > self.limit {
            let Some((oldest, bytes)) = self.calls.pop_front() else { break };
            self.bytes -= bytes + self.remove(&oldest.scope);
            cache.leave_to_disk(&oldest);
        }
    }

    /// The bytes that the scope adds: none if another call uses it too.
    fn add(&mut self, scope: &Arc<CallScope>) -> usize {
        let users = self.scopes.entry(Arc::as_ptr(scope).addr()).or_default();
        *users += 1;
        if *users == 1 { size::of_scope(scope) } else { 0 }
    }

    /// The bytes that removing the scope frees: none if another call still uses it.
    fn remove(&mut self, scope: &Arc<CallScope>) -> usize {
        let at = Arc::as_ptr(scope).addr();
        let Some(users) = self.scopes.get_mut(&at) else { return 0 };
        *users -= 1;
        if *users > 0 {
            return 0;
        }
        self.scopes.remove(&at);
        size::of_scope(scope)
    }
}

#[cfg(test)]
#[path = "answer_cache_tests.rs"]
mod tests;
