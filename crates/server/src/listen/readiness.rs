//! Whether the store can be written. A server whose store cannot be written should receive no requests.

use std::time::Duration;

use aileron_capability::Clock;
use aileron_store::{Store, StoreError};
use tokio::sync::Mutex;
use tokio::time::timeout;

/// How long an answer of the store is reused, so that health checks do not cause many writes.
const REUSE_MS: u64 = 1000;

/// Maximum duration of a write.
const WRITE_TIMEOUT: Duration = Duration::from_secs(3);

const SLOW: &str = "the store did not write within 3 seconds";

/// The last answer of the store, with its time.
#[derive(Debug, Default)]
pub(crate) struct Readiness(Mutex<Option<(u64, Result<(), String>)>>);

impl Readiness {
    /// Whether the store can be written, and why not.
    pub(super) async fn check(&self, store: &dyn Store, clock: &dyn Clock) -> Result<(), String> {
        let mut last = self.0.lock().await;
        let now = clock.monotonic_ms();
        if let Some((asked, answer)) = &*last
            && now.saturating_sub(*asked) < REUSE_MS
        {
            return answer.clone();
        }
        let answer = match timeout(WRITE_TIMEOUT, store.probe()).await {
            Ok(written) => written.map_err(|error: StoreError| error.to_string()),
            Err(_) => Err(SLOW.to_owned()),
        };
        *last = Some((now, answer.clone()));
        answer
    }
}
