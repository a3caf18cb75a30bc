//! A call on its way to whatever runs it, a thread or a process, and the line between the two.

use std::sync::Arc;
use std::time::Instant;

use tokio::runtime::Handle;
use tokio::sync::mpsc::UnboundedSender;

use super::host::{CapabilityShape, Host};
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
    /// How many calls this one is inside of.
    pub(crate) depth: usize,
    /// On whose behalf the call is made.
    pub(crate) caller: Arc<str>,
    /// Where the caller waits, if it is tokio's.
    pub(crate) runtime: Option<Handle>,
}

/// What the caller can tell a call that was submitted.
pub(crate) trait CallControl: Send + Sync {
    /// Answers a request.
    fn reply(&self, reply: MethodReply);

    /// Ends the call. Nothing the code asks for afterwards is done.
    fn stop(&self, why: StopReason);
}
