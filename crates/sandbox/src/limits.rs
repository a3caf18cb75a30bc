//! The limits of one call.

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// The limits of one sandbox, for the top level of modules and for calls.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SandboxLimits {
    /// Memory of the whole sandbox, including 150 KiB of the engine.
    pub memory_bytes: usize,
    /// Stack of the JavaScript code; the threads have more, so that the engine detects an overflow
    /// first.
    pub stack_bytes: usize,
    /// Processor time over the whole call, waiting excluded.
    pub cpu: Duration,
    /// JSON text of the result, and of each message to a capability.
    pub result_bytes: usize,
    /// Calls of asynchronous capabilities.
    pub host_calls: u32,
    /// Text of all log lines, progress updates and partial data together; later ones are dropped.
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
