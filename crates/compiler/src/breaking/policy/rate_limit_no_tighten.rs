//! A tighter rate limit.

use aileron_contract::ToolSpec;
use aileron_contract::spec::{RateLimit, RateScope};

use crate::breaking::promise::{PromiseBreach, promise};

promise! {
    /// A rate of calls that was allowed is still allowed.
    ///
    /// ## Why
    /// A call over the limit is answered with `RATE_LIMIT`. It can be repeated later, so a minor
    /// step is enough. Limits that count the calls of more people
    /// together (`conversation`, `user`, `tool`, in this order) are tighter.
    ///
    /// ## Example
    /// ```json
    /// { "rateLimit": { "calls": 10, "windowMs": 60000, "per": "user" } }
    /// { "rateLimit": { "calls": 5, "windowMs": 60000, "per": "user" } }
    /// ```
    ///
    /// ## Fix
    /// Keep the limit, or raise the version.
    RATE_LIMIT_NO_TIGHTEN, "RATE_LIMIT_NO_TIGHTEN", "rate-limit-tightened", Minor
}

pub(super) fn check(previous: &ToolSpec, current: &ToolSpec, found: &mut Vec<PromiseBreach>) {
    let (before, after) = (&previous.rate_limit, &current.rate_limit);
    let Some(limit) = after else { return };
    if before.as_ref().is_none_or(|before| is_tighter(before, limit)) {
        let before = before.as_ref().map_or_else(|| "no limit".to_owned(), words);
        let message = format!("`rateLimit` was {before}, is {}", words(limit));
        found.push(PromiseBreach::new(&PROMISE, "/rateLimit", message));
    }
}

/// Whether calls that keep to the first limit may be too many for the second.
fn is_tighter(before: &RateLimit, after: &RateLimit) -> bool {
    let windows = after.window_ms.div_ceil(before.window_ms.max(1)).max(1);
    let most = before.calls.saturating_mul(windows);
    after.calls < most || together(after.per) > together(before.per)
}

/// How many calls are counted together, least first.
fn together(scope: RateScope) -> u8 {
    match scope {
        RateScope::Conversation => 0,
        RateScope::User => 1,
        RateScope::Tool => 2,
    }
}

fn words(limit: &RateLimit) -> String {
    let per = match limit.per {
        RateScope::Conversation => "conversation",
        RateScope::User => "user",
        RateScope::Tool => "tool",
    };
    format!("{} calls in {} ms per {per}", limit.calls, limit.window_ms)
}
