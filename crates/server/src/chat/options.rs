//! Settings of chat streams.

use std::time::Duration;

/// Settings of chat streams.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChatOptions {
    /// How long an answer without a reader continues, so that an interrupted stream can be resumed.
    pub resume_within: Duration,
    /// How long a reader may take no data before it counts as gone.
    pub stalled_after: Duration,
}

impl Default for ChatOptions {
    fn default() -> Self {
        Self { resume_within: Duration::from_secs(10), stalled_after: Duration::from_secs(30) }
    }
}
