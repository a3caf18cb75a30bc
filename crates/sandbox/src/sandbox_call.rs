//! The input of a call.

use std::fmt;
use std::sync::Arc;
use std::time::Instant;

use aileron_capability::foreign::Host;
use serde_json::Value;
use tokio_util::sync::CancellationToken;

/// One call of a tool.
pub struct SandboxCall {
    pub args: Value,
    /// Plain data: mode, session, user, tool, idempotencyKey, deadline and other data for the
    /// handler.
    pub context: Value,
    pub host: Arc<dyn Host>,
    pub deadline: Instant,
    pub cancel: CancellationToken,
    /// The nesting depth of the call.
    pub depth: usize,
    /// The caller: a user id or a conversation. A caller whose calls block threads is quarantined.
    pub caller: Arc<str>,
}

impl fmt::Debug for SandboxCall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Call").finish_non_exhaustive()
    }
}
