//! How much one call may use.

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// The bounds of one sandbox. They hold for a module's top level as for a call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SandboxLimits {
    /// Memory of the whole sandbox, the engine's own 150 KiB included.
    pub memory_bytes: usize,
    /// Stack of the JavaScript code; the threads have more, so that the engine notices first.
    pub stack_bytes: usize,
    /// Processor time over the whole call, waiting excluded.
    pub cpu: Duration,
    /// JSON text of the result, and of each message to a capability.
    pub result_bytes: usize,
    /// Calls of asynchronous capabilities.
    pub host_calls: u32,
    /// Text of all log lines and progress updates together; what comes after is dropped.
    pub log_bytes: usize,
}

impl Default for SandboxLimits {
    fn default() -> Self {
        Self {
            memory_bytes: 64 << 20,
            stack_bytes: 512 << 10,
            cpu: Duration::from_millis(500),
            result_bytes: 4 << 20,
            host_calls: 1000,
            log_bytes: 256 << 10,
        }
    }
}
