//! How many conversations use each registry. Counting reads all conversations, so the numbers are kept for a
//! while.

use std::collections::BTreeMap;
use std::sync::Arc;

use aileron_store::{Store, StoreError};
use tokio::sync::Mutex;

/// How old the numbers may be, in milliseconds.
const MAX_AGE_MS: u64 = 10_000;

/// The numbers and when they were read. One request reads them; others wait for it.
#[derive(Debug, Default)]
pub(crate) struct PinnedCounts(Mutex<Option<(u64, BTreeMap<String, u64>)>>);

impl PinnedCounts {
    pub(crate) async fn counts(
        &self,
        store: &Arc<dyn Store>,
        now: u64,
    ) -> Result<BTreeMap<String, u64>, StoreError> {
        let mut kept = self.0.lock().await;
        if let Some((read, counts)) = &*kept
            && now.saturating_sub(*read) < MAX_AGE_MS
        {
            return Ok(counts.clone());
        }
        let store = store.clone();
        let reading = tokio::task::spawn_blocking(move || store.pinned_registries()).await;
        let unread =
            |error: tokio::task::JoinError| StoreError::Unreadable { why: error.to_string() };
        let counts = reading.map_err(unread)?.await?;
        *kept = Some((now, counts.clone()));
        Ok(counts)
    }
}
