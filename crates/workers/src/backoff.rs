//! Waits longer after each failed start of a worker, so that a worker that cannot start costs no
//! process per call. Calls within the wait are answered at once with the reason.

use std::time::{Duration, Instant};

const FIRST: Duration = Duration::from_millis(100);
const LONGEST: Duration = Duration::from_secs(10);

#[derive(Debug, Default)]
pub(crate) struct StartBackoff {
    failed: Option<FailedStart>,
}

#[derive(Debug)]
struct FailedStart {
    why: String,
    wait: Duration,
    until: Instant,
}

impl StartBackoff {
    /// The reason of the last failure, while nothing is to be started.
    pub(crate) fn check(&self, now: Instant) -> Result<(), String> {
        match &self.failed {
            Some(failed) if now < failed.until => Err(failed.why.clone()),
            _ => Ok(()),
        }
    }

    pub(crate) fn failed(&mut self, why: String, now: Instant) {
        let wait = self.failed.as_ref().map_or(FIRST, |failed| LONGEST.min(failed.wait * 2));
        self.failed = Some(FailedStart { why, wait, until: now + wait });
    }

    pub(crate) fn succeeded(&mut self) {
        self.failed = None;
    }
}

#[cfg(test)]
#[path = "backoff_tests.rs"]
mod tests;
