//! Rate limits: a maximum number of calls of a tool in a sliding window, per conversation, per
//! person or in total. Counted in the store, so that a restart or another process does not reset
//! the count.
//!
//! The policy checks whether the limit is reached, which is a short read. A call that passes all
//! policies is counted, and runs once the count is written: if several calls compete for the last
//! unit, one gets it. Tools without a limit have no cost. A call that needs approval is counted
//! when it is approved and runs, so a confirmation that is declined or expires uses nothing.

use aileron_contract::envelope::Failure;
use aileron_contract::spec::{RateLimit, RateScope};
use aileron_contract::{ErrorType, ToolSpec};
use aileron_store::{CountResult, Counter, StoreError};
use serde_json::json;

use super::context::PolicyContext;
use super::result::{Counted, PolicyMeasure, PolicyResult};
use crate::candidate::CandidateCall;

const NOT_COUNTED: &str = "how often this was called cannot be looked up";

pub(super) fn check(candidate: &mut CandidateCall, context: &PolicyContext<'_>) -> PolicyResult {
    let Some(limit) = candidate.spec().and_then(|spec| spec.rate_limit.clone()) else {
        return PolicyResult::PASS;
    };
    if candidate.duplicate_of.is_some() {
        return PolicyResult::PASS;
    }
    let counter = counter(candidate, context, &limit);
    let in_batch = context.counts.of(&counter);
    match context.ledger.rate_wait_ms(&counter, in_batch, context.now) {
        Ok(None) => {
            candidate.rate = Some(Box::new(counter));
            PolicyResult::PASS
        }
        Ok(Some(wait_ms)) => {
            let used = PolicyMeasure::new(Counted::CallsInWindow, limit.calls, limit.calls);
            PolicyResult::refused(full(&candidate.call.tool_id, &limit, wait_ms)).by(used)
        }
        Err(_) => PolicyResult::undecided(NOT_COUNTED),
    }
}

/// The refusal of a call that could not be counted within the limit.
pub(crate) fn refusal_if_not_counted(
    counted: Result<CountResult, StoreError>,
    spec: &ToolSpec,
) -> Option<Failure> {
    match (counted, &spec.rate_limit) {
        (Ok(CountResult::Within), _) => None,
        (Ok(CountResult::Full { wait_ms }), Some(limit)) => {
            Some(full(spec.tool_id.as_str(), limit, wait_ms))
        }
        (Ok(CountResult::Full { .. }), None) | (Err(_), _) => {
            Some(Failure::new(ErrorType::Unavailable, NOT_COUNTED))
        }
    }
}

fn counter(candidate: &CandidateCall, context: &PolicyContext<'_>, limit: &RateLimit) -> Counter {
    let tool = &candidate.call.tool_id;
    let name = match limit.per {
        RateScope::Conversation => format!("{tool} c:{}", context.state.scope.conversation),
        RateScope::User => format!("{tool} u:{}", context.state.block_id),
        RateScope::Tool => tool.clone(),
    };
    Counter { name, calls: limit.calls, window_ms: limit.window_ms }
}

fn full(tool: &str, limit: &RateLimit, wait_ms: u64) -> Failure {
    let RateLimit { calls, window_ms, .. } = limit;
    let seconds = window_ms.div_ceil(1000);
    let message = format!("`{tool}` may be called {calls} times in {seconds} seconds");
    let mut failure = Failure::new(ErrorType::RateLimit, message);
    failure.suggestion = Some(format!("wait {} seconds", wait_ms.div_ceil(1000)));
    failure.details = Some(json!({ "retryAfterMs": wait_ms }));
    failure
}
