//! Rate limits: so many calls of a tool in a sliding window, counted for the
//! conversation, the person or the tool. Counted in this process.

use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};

use aileron_contract::ErrorType;
use aileron_contract::envelope::Failure;
use aileron_contract::spec::{RateLimit, RateScope};
use serde_json::json;

use super::{Desk, Verdict};
use crate::draft::Draft;

/// How many counters there may be before those that ended are swept out.
const SWEEP_AT: usize = 10_000;

/// The calls that count, by tool and by whom.
#[derive(Debug, Default)]
pub(crate) struct RateLimits(Mutex<HashMap<Whose, Window>>);

type Whose = (String, String);

#[derive(Debug, Clone, Default)]
struct Window {
    calls: VecDeque<u64>,
    length_ms: u64,
}

pub(super) fn check(draft: &mut Draft, desk: &mut Desk<'_>) -> Verdict {
    let Some(limit) = draft.spec().and_then(|spec| spec.rate_limit.clone()) else {
        return Verdict::Pass;
    };
    if draft.origin.is_counted() {
        return Verdict::Pass;
    }
    let whose = whose(draft, desk, limit.per);
    match desk.rates.take(whose.clone(), &limit, desk.now) {
        Ok(()) => {
            draft.rate = Some(whose);
            Verdict::Pass
        }
        Err(wait_ms) => refusal(&draft.call.tool_id, &limit, wait_ms),
    }
}

fn whose(draft: &Draft, desk: &Desk<'_>, scope: RateScope) -> Whose {
    let who = match scope {
        RateScope::Conversation => format!("c:{}", desk.memory.scope.conversation),
        RateScope::User => format!("u:{}", desk.memory.block_id),
        RateScope::Tool => String::new(),
    };
    (draft.call.tool_id.clone(), who)
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

impl RateLimits {
    /// Counts a call, or says how long to wait.
    fn take(&self, whose: Whose, limit: &RateLimit, now: u64) -> Result<(), u64> {
        let mut windows = self.lock();
        if windows.len() >= SWEEP_AT {
            windows.retain(|_, window| window.prune(now));
        }
        let window = windows.entry(whose).or_default();
        window.length_ms = limit.window_ms;
        window.prune(now);
        match window.calls.front() {
            Some(oldest) if window.calls.len() as u64 >= limit.calls => {
                Err(oldest.saturating_add(limit.window_ms).saturating_sub(now))
            }
            _ if limit.calls == 0 => Err(limit.window_ms),
            _ => {
                window.calls.push_back(now);
                Ok(())
            }
        }
    }

    /// A copy that counts by itself.
    pub(crate) fn copy(&self) -> Self {
        Self(Mutex::new(self.lock().clone()))
    }

    /// Takes back a call that was counted and then refused.
    pub(crate) fn give_back(&self, whose: &Whose) {
        if let Some(window) = self.lock().get_mut(whose) {
            window.calls.pop_back();
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Whose, Window>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Window {
    /// Forgets what is past; says whether anything is left.
    fn prune(&mut self, now: u64) -> bool {
        while self.calls.front().is_some_and(|call| call.saturating_add(self.length_ms) <= now) {
            self.calls.pop_front();
        }
        !self.calls.is_empty()
    }
}
