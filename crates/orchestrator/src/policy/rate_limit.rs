//! Rate limits: so many calls of a tool in a sliding window, counted for the conversation, the person
//! or the tool. Counted in the store, so that a restart or another process gives no further calls.
//!
//! The policy looks whether there is room, which is a short read. A call that passes all policies is
//! counted, and runs once that is written: of several who take the last place at the same moment, one
//! gets it. Only a tool with a limit pays for this. A call that the person has to approve is counted
//! when it is approved and runs, so a question that is declined or expires uses nothing.

use std::cell::RefCell;
use std::collections::HashMap;

use aileron_contract::envelope::Failure;
use aileron_contract::spec::{RateLimit, RateScope};
use aileron_contract::{ErrorType, ToolSpec};
use aileron_store::{Counted, Counter, StoreError};
use serde_json::json;

use super::{PolicyContext, PolicyResult};
use crate::candidate::CandidateCall;

/// The policy, as records say.
pub(crate) const NAME: &str = "rate_limit";

const NOT_COUNTED: &str = "how often this was called cannot be looked up";

/// How many calls of a message were let through, by the names of their counters: the store does not
/// know of them yet.
#[derive(Debug, Default)]
pub(crate) struct BatchCounts(RefCell<HashMap<String, u64>>);

impl BatchCounts {
    fn of(&self, counter: &Counter) -> u64 {
        self.0.borrow().get(&counter.name).copied().unwrap_or_default()
    }

    /// Takes note of a call that was let through.
    pub(crate) fn add(&self, counter: &Counter) {
        *self.0.borrow_mut().entry(counter.name.clone()).or_default() += 1;
    }
}

pub(super) fn check(
    candidate: &mut CandidateCall,
    context: &mut PolicyContext<'_>,
) -> PolicyResult {
    let Some(limit) = candidate.spec().and_then(|spec| spec.rate_limit.clone()) else {
        return PolicyResult::Pass;
    };
    if candidate.duplicate_of.is_some() {
        return PolicyResult::Pass;
    }
    let counter = counter(candidate, context, &limit);
    match context.store.wait_to_count(&counter, context.counts.of(&counter), context.now) {
        Ok(None) => {
            candidate.rate = Some(Box::new(counter));
            PolicyResult::Pass
        }
        Ok(Some(wait_ms)) => PolicyResult::Refuse(full(&candidate.call.tool_id, &limit, wait_ms)),
        Err(_) => PolicyResult::undecided(NOT_COUNTED),
    }
}

/// Why a call may not run after all, once it is known whether it was counted.
pub(crate) fn refusal(
    counted: Result<Counted, StoreError>,
    spec: &ToolSpec,
) -> Option<Box<Failure>> {
    match (counted, &spec.rate_limit) {
        (Ok(Counted::Within), _) => None,
        (Ok(Counted::Full { wait_ms }), Some(limit)) => {
            Some(full(spec.tool_id.as_str(), limit, wait_ms))
        }
        (Ok(Counted::Full { .. }), None) | (Err(_), _) => {
            Some(Box::new(Failure::new(ErrorType::Unavailable, NOT_COUNTED)))
        }
    }
}

fn counter(candidate: &CandidateCall, context: &PolicyContext<'_>, limit: &RateLimit) -> Counter {
    let tool = &candidate.call.tool_id;
    let name = match limit.per {
        RateScope::Conversation => format!("{tool} c:{}", context.memory.scope.conversation),
        RateScope::User => format!("{tool} u:{}", context.memory.block_id),
        RateScope::Tool => tool.clone(),
    };
    Counter { name, calls: limit.calls, window_ms: limit.window_ms }
}

fn full(tool: &str, limit: &RateLimit, wait_ms: u64) -> Box<Failure> {
    let RateLimit { calls, window_ms, .. } = limit;
    let seconds = window_ms.div_ceil(1000);
    let message = format!("`{tool}` may be called {calls} times in {seconds} seconds");
    let mut failure = Failure::new(ErrorType::RateLimit, message);
    failure.suggestion = Some(format!("wait {} seconds", wait_ms.div_ceil(1000)));
    failure.details = Some(json!({ "retryAfterMs": wait_ms }));
    Box::new(failure)
}
