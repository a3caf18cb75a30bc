//! A removed rate limit.

use aileron_contract::ToolSpec;

use crate::breaking::promise::{PromiseBreach, promise};

promise! {
    /// A tool with a rate limit keeps a rate limit.
    ///
    /// ## Why
    /// A limit protects the service behind a tool, its bill, and the people who receive what it
    /// sends. Without one a model in a loop calls it as fast as it can. A limit that is raised
    /// is still a limit, so that is no break.
    ///
    /// ## Example
    /// ```json
    /// { "rateLimit": { "calls": 1, "windowMs": 60000, "per": "user" } }
    /// { }
    /// ```
    ///
    /// ## Fix
    /// Keep a limit; raise its `calls` where it is too tight.
    RATE_LIMIT_NO_DROP, "RATE_LIMIT_NO_DROP", "rate-limit-dropped", Major
}

pub(super) fn check(previous: &ToolSpec, current: &ToolSpec, found: &mut Vec<PromiseBreach>) {
    if let (Some(limit), None) = (&previous.rate_limit, &current.rate_limit) {
        let (calls, window) = (limit.calls, limit.window_ms);
        let message = format!("`rateLimit` was {calls} calls in {window} ms, is gone");
        found.push(PromiseBreach::new(&PROMISE, "/rateLimit", message));
    }
}
