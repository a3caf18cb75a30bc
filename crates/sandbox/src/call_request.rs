//! A call that was submitted to a thread or a worker process, and its control interface.

use aileron_capability::foreign::{CapabilityShape, Host};
use std::sync::Arc;
use std::time::Instant;

use tokio::runtime::Handle;
use tokio::sync::mpsc::UnboundedSender;

use super::host_bridge::{MethodReply, SandboxEvent};
use super::interrupt::StopReason;

/// A call, ready to be run.
pub(crate) struct CallRequest {
    /// JSON text of `{ args, context }`.
    pub(crate) input: String,
    pub(crate) shapes: Arc<[CapabilityShape]>,
    pub(crate) host: Arc<dyn Host>,
    pub(crate) events: UnboundedSender<SandboxEvent>,
    pub(crate) deadline: Instant,
    /// The nesting depth of the call.
    pub(crate) depth: usize,
    /// The caller: a user id or a conversation.
    pub(crate) caller: Arc<str>,
    /// The caller's tokio runtime, if it has one.
    pub(crate) runtime: Option<Handle>,
}

/// Control of a submitted call.
pub(crate) trait CallControl: Send + Sync {
    /// Answers a request.
    fn reply(&self, reply: MethodReply);

    /// Ends the call. Later requests of its code are ignored.
    fn stop(&self, why: StopReason);
}
