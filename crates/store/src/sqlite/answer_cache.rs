//! Which answers memory still holds although they are on disk: the newest, up
//! to a number of bytes. What one takes is counted by `size`.

mod size;

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use aileron_contract::ToolResponse;

use crate::call::{CallScope, CallStart};
use crate::ledger_cache::LedgerCache;

#[derive(Debug)]
pub(super) struct AnswerCache {
    calls: VecDeque<(Arc<CallStart>, usize)>,
    /// How many of the calls have a scope, by where it is: it is held once for all of them.
    scopes: HashMap<usize, usize>,
    bytes: usize,
    limit: usize,
}

impl AnswerCache {
    pub(super) fn new(limit: usize) -> Self {
        Self { calls: VecDeque::new(), scopes: HashMap::new(), bytes: 0, limit }
    }

    /// A finished call is on disk; the oldest ones make room for it.
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

    /// What the scope adds to the bytes: nothing if another call has it too.
    fn add(&mut self, scope: &Arc<CallScope>) -> usize {
        let users = self.scopes.entry(Arc::as_ptr(scope).addr()).or_default();
        *users += 1;
        if *users == 1 { size::of_scope(scope) } else { 0 }
    }

    /// What the scope takes from the bytes: nothing if another call has it still.
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
