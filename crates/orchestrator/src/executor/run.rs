//! A call from its ledger entry to its end.

use std::sync::Arc;

use aileron_capability::HandlerEnd;
use aileron_contract::Mode;
use aileron_store::{CallStart, PendingWrite};
use tokio::sync::OwnedMutexGuard;

use crate::invocation::Invocation;
use crate::running::RunningCall;

/// A call that is being entered into the ledger.
#[derive(Debug)]
pub(crate) struct PendingStart<T> {
    pub(crate) invocation: Invocation,
    pub(crate) start: Arc<CallStart>,
    pub(crate) begun: PendingWrite<T>,
    pub(crate) running: RunningCall,
}

/// A call that is in the ledger and may run.
#[derive(Debug)]
pub(crate) struct CallRun {
    pub(crate) invocation: Invocation,
    /// The mode it was admitted in. The conversation may change its mode meanwhile; its calls do
    /// not.
    pub(crate) mode: Mode,
    pub(crate) running: RunningCall,
    /// Given back when the call ends, or becomes a task of a tool that runs in the background.
    pub(crate) alone: WriteTurn,
}

/// Held by a call that writes, from its start to its end: writes run one at a time.
#[derive(Debug, Default)]
pub(crate) struct WriteTurn(
    #[expect(dead_code, reason = "held, never read")] Option<OwnedMutexGuard<()>>,
);

impl WriteTurn {
    pub(super) fn holding(guard: OwnedMutexGuard<()>) -> Self {
        Self(Some(guard))
    }
}

/// The result of running a call.
#[derive(Debug)]
pub(crate) struct RunReport {
    pub(crate) ending: HandlerEnd,
    pub(crate) attempts: u32,
    pub(crate) duration_ms: u64,
}
