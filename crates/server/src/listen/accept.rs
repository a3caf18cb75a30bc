//! Handles failed `accept` calls, such as for lack of file descriptors.

use std::io::{self, ErrorKind};
use std::time::Duration;

use tokio::time::{Instant, sleep};

/// The first wait, which doubles up to the longest.
const FIRST_WAIT: Duration = Duration::from_millis(50);
const MAX_WAIT: Duration = Duration::from_secs(1);

/// Interval between two log messages about the same problem.
const LOG_INTERVAL: Duration = Duration::from_secs(60);

/// Failed accepts, from the first one until one succeeds.
#[derive(Debug, Default)]
pub(super) struct AcceptErrors(Option<ErrorSpell>);

#[derive(Debug)]
struct ErrorSpell {
    since: Instant,
    logged: Instant,
    failures: u64,
    wait: Duration,
}

impl AcceptErrors {
    /// Waits before the next attempt, longer each time, and logs the error at intervals. A client that left
    /// before it was accepted causes no wait.
    pub(super) async fn wait_after_error(&mut self, error: &io::Error) {
        if is_of_one_client(error) {
            return;
        }
        let now = Instant::now();
        let spell = self.0.get_or_insert_with(|| {
            log(error, 1);
            ErrorSpell { since: now, logged: now, failures: 0, wait: FIRST_WAIT }
        });
        spell.failures += 1;
        if now.duration_since(spell.logged) >= LOG_INTERVAL {
            log(error, spell.failures);
            spell.logged = now;
        }
        let wait = spell.wait;
        spell.wait = (wait * 2).min(MAX_WAIT);
        sleep(wait).await;
    }

    /// A connection was accepted.
    pub(super) fn on_accepted(&mut self) {
        if let Some(ErrorSpell { since, failures, .. }) = self.0.take() {
            let seconds = since.elapsed().as_secs();
            tracing::warn!(failures, seconds, "Connections are accepted again.");
        }
    }
}

fn log(error: &io::Error, failures: u64) {
    tracing::error!(
        %error,
        failures,
        "No connection can be accepted. If it is for want of file handles, raise the limit \
         (`ulimit -n`) or lower `connections` of [server.limits].",
    );
}

fn is_of_one_client(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::ConnectionAborted
            | ErrorKind::ConnectionReset
            | ErrorKind::ConnectionRefused
            | ErrorKind::Interrupted
    )
}

#[cfg(test)]
#[path = "accept_tests.rs"]
mod tests;
