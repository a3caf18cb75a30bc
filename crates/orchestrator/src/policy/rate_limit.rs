//! Rate limits: so many calls of a tool in a sliding window, counted for the conversation, the person
//! or the tool. Counted in the store, so that a restart or another process gives no further calls.
//! Only a tool with a limit pays for it, with a commit.

use std::cell::RefCell;
use std::collections::HashMap;

use aileron_contract::ErrorType;
use aileron_contract::envelope::Failure;
use aileron_contract::spec::{RateLimit, RateScope};
use aileron_store::{Counted, Counter, Store, StoreError};
use serde_json::json;

use super::{Desk, Verdict};
use crate::draft::Draft;

const NOT_COUNTED: &str = "how often this was called cannot be looked up";

/// How calls are counted.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Counting<'a> {
    /// In the store, for all processes.
    Kept,
    /// Here alone: nothing is made, so nothing is kept.
    Supposed(&'a Supposed),
}

/// The calls that are supposed to have been made, by the names of their counters.
#[derive(Debug, Default)]
pub(crate) struct Supposed(RefCell<HashMap<String, u64>>);

impl Counting<'_> {
    /// Takes back a call that was counted and is refused after all.
    pub(crate) fn take_back(self, counter: &Counter, number: u64, store: &dyn Store) {
        match self {
            // Nobody waits for this: the place is free once it is written.
            Self::Kept => drop(store.uncount_call(counter, number)),
            Self::Supposed(Supposed(counts)) => {
                if let Some(more) = counts.borrow_mut().get_mut(&counter.name) {
                    *more = more.saturating_sub(1);
                }
            }
        }
    }
}

pub(super) fn check(draft: &mut Draft, desk: &mut Desk<'_>) -> Verdict {
    let Some(limit) = draft.spec().and_then(|spec| spec.rate_limit.clone()) else {
        return Verdict::Pass;
    };
    if draft.is_free() {
        return Verdict::Pass;
    }
    let counter = counter(draft, desk, &limit);
    match count(&counter, desk) {
        Ok(Counted::As(number)) => {
            draft.rate = Some(Box::new((counter, number)));
            Verdict::Pass
        }
        Ok(Counted::Full { wait_ms }) => refusal(&draft.call.tool_id, &limit, wait_ms),
        Err(_) => Verdict::refuse(ErrorType::Unavailable, NOT_COUNTED),
    }
}

fn counter(draft: &Draft, desk: &Desk<'_>, limit: &RateLimit) -> Counter {
    let tool = &draft.call.tool_id;
    let name = match limit.per {
        RateScope::Conversation => format!("{tool} c:{}", desk.memory.scope.conversation),
        RateScope::User => format!("{tool} u:{}", desk.memory.block_id),
        RateScope::Tool => tool.clone(),
    };
    Counter { name, calls: limit.calls, window_ms: limit.window_ms }
}

/// Counts a call, or says how long to wait.
fn count(counter: &Counter, desk: &Desk<'_>) -> Result<Counted, StoreError> {
    match desk.counting {
        Counting::Kept => desk.store.count_call(counter, desk.now).wait(),
        Counting::Supposed(Supposed(counts)) => {
            let mut counts = counts.borrow_mut();
            let more = counts.entry(counter.name.clone()).or_default();
            let wait = desk.store.wait_to_count(counter, *more, desk.now)?;
            *more += u64::from(wait.is_none());
            Ok(wait.map_or(Counted::As(*more), |wait_ms| Counted::Full { wait_ms }))
        }
    }
}

fn refusal(tool: &str, limit: &RateLimit, wait_ms: u64) -> Verdict {
    let RateLimit { calls, window_ms, .. } = limit;
    let seconds = window_ms.div_ceil(1000);
    let message = format!("`{tool}` may be called {calls} times in {seconds} seconds");
    let mut failure = Failure::new(ErrorType::RateLimit, message);
    failure.suggestion = Some(format!("wait {} seconds", wait_ms.div_ceil(1000)));
    failure.details = Some(json!({ "retryAfterMs": wait_ms }));
    Verdict::Refuse(Box::new(failure))
}
