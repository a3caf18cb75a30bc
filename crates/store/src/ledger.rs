//! The answers of the ledger: the status of a known call, and the ticket of a call that may run.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use aileron_contract::{CallId, ConversationId, Outcome, ToolResponse};

use crate::call::CallStart;
use crate::document::PendingConfirmation;
use crate::shared_once::SharedOnce;

/// The status of a call whose key is known.
#[derive(Debug, Clone)]
pub enum CallStatus {
    /// Running in this process; await it for the answer.
    Running(CallWait),
    /// Running in another process that is alive. Look again later.
    RunningElsewhere,
    /// Finished; this is the stored answer.
    Finished(Arc<ToolResponse>),
    /// Started, and it will never finish: its process died or dropped it. A write must not run
    /// again; a read may be started again.
    Abandoned { writes: bool },
}

/// The answer to `begin`.
#[derive(Debug)]
pub enum BeginResult {
    /// Run it, then settle the ticket.
    Started(Ticket),
    /// Do not run it.
    Known(CallStatus),
}

/// The answer to beginning the call of a confirmation.
#[derive(Debug)]
pub enum BeginConfirmedResult {
    /// The confirmation is taken and the call is started. If the call was known, nothing is taken.
    Begun(BeginResult),
    /// It was pending, but had expired. It is removed, and no call is started.
    Expired(PendingConfirmation),
    /// There is none, or another caller took it. No call is started.
    Unknown,
}

/// The right to run one call, and the duty to settle it.
///
/// If it is dropped without being settled (a panic, a cancelled task), the call counts as
/// abandoned: `lookup` reports that to duplicates, and its audit record says `panicked` or
/// `cancelled`.
#[must_use = "a ticket that is dropped abandons its call"]
pub struct Ticket {
    call: Arc<CallStart>,
    issuer: Option<Arc<dyn TicketIssuer>>,
}

/// The issuer of a ticket, which is notified when the ticket is dropped. For implementations of the
/// store.
pub trait TicketIssuer: Send + Sync {
    /// The ticket of this call was dropped unsettled.
    fn dropped(&self, call: &Arc<CallStart>, outcome: Outcome);
}

impl Ticket {
    /// For implementations of the store: a ticket for a call that `begin` admitted.
    pub fn new(call: Arc<CallStart>, issuer: Arc<dyn TicketIssuer>) -> Self {
        Self { call, issuer: Some(issuer) }
    }

    /// The call this ticket is for.
    pub fn call(&self) -> &Arc<CallStart> {
        &self.call
    }

    /// For implementations of the store: returns the call and ends the duty to settle it.
    pub fn redeem(mut self) -> Arc<CallStart> {
        self.issuer = None;
        self.call.clone()
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        if let Some(issuer) = self.issuer.take() {
            let panicked = std::thread::panicking();
            let outcome = if panicked { Outcome::Panicked } else { Outcome::Cancelled };
            issuer.dropped(&self.call, outcome);
        }
    }
}

impl fmt::Debug for Ticket {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Ticket").field("call_id", &self.call.call_id).finish_non_exhaustive()
    }
}

pub(crate) type Watch = SharedOnce<Option<Arc<ToolResponse>>>;

/// A call that runs in this process. Resolves to its answer once the answer may be sent, or to
/// `None` if the call was abandoned; call `lookup` again then.
#[derive(Debug, Clone)]
pub struct CallWait(Arc<Watch>);

impl CallWait {
    pub(crate) fn new(watch: Arc<Watch>) -> Self {
        Self(watch)
    }

    /// A call that is being answered without being started, and the sender that answers it.
    pub fn pending() -> (CallCompleter, Self) {
        let watch = SharedOnce::new();
        (CallCompleter(watch.clone()), Self(watch))
    }

    /// Blocks the thread until the call has ended. Not for async code.
    pub fn wait(self) -> Option<Arc<ToolResponse>> {
        self.0.wait(|value| value.clone())
    }
}

impl Future for CallWait {
    type Output = Option<Arc<ToolResponse>>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        self.0.poll(context, |value| value.clone())
    }
}

/// The sending half of a [`CallWait`]. Dropping it unanswered means that the call was abandoned.
#[derive(Debug)]
pub struct CallCompleter(Arc<Watch>);

impl CallCompleter {
    /// Sends the answer.
    pub fn send(self, answer: Arc<ToolResponse>) {
        self.0.set(Some(answer));
    }
}

impl Drop for CallCompleter {
    /// Has no effect after an answer: only the first value counts.
    fn drop(&mut self) {
        self.0.set(None);
    }
}

/// A call whose process died before it ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AbandonedCall {
    pub conversation: ConversationId,
    pub key: String,
    pub call_id: CallId,
    pub tool: String,
    pub writes: bool,
}

#[cfg(test)]
#[path = "ledger_tests.rs"]
mod tests;
