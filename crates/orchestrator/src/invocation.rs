//! A call that passed every policy: its tool exists, its arguments are valid.

use std::sync::Arc;

use aileron_contract::CallId;
use aileron_contract::envelope::Clamp;
use aileron_contract::spec::{Execution, OnInterrupt};
use serde_json::Value;

use crate::call_identity::CallIdentity;
use crate::candidate::CandidateCall;
use crate::nested::ParentCall;
use crate::toolset::ToolEntry;

/// A call that may run.
#[derive(Debug)]
pub(crate) struct Invocation {
    pub(crate) call: CallIdentity,
    pub(crate) entry: Arc<ToolEntry>,
    pub(crate) args: Arc<Value>,
    pub(crate) clamped: Vec<Clamp>,
    /// The call whose handler made this one.
    pub(crate) parent: Option<Arc<ParentCall>>,
    /// The id the model gave the call, where it is recorded under another.
    pub(crate) model_id: Option<CallId>,
}

impl Invocation {
    /// Whether the call is answered before it ends. A call that a handler made is awaited by it.
    pub(crate) fn is_background(&self) -> bool {
        self.parent.is_none() && self.entry.spec().execution() == Execution::Background
    }

    /// The effect of an interruption on the call: that of its outermost parent. None on a call that
    /// is answered before it ends.
    pub(crate) fn on_interrupt(&self) -> OnInterrupt {
        if self.is_background() {
            return OnInterrupt::Continue;
        }
        let outermost = self.parent.as_ref().map(|parent| parent.on_interrupt());
        outermost.unwrap_or_else(|| self.entry.spec().on_interrupt())
    }

    /// The invocation of a candidate; returns the candidate if its tool or its arguments are
    /// missing.
    pub(crate) fn of(candidate: CandidateCall) -> Result<Self, Box<CandidateCall>> {
        if candidate.args.is_err() {
            return Err(Box::new(candidate));
        }
        match (candidate.entry().cloned(), candidate) {
            (
                Some(entry),
                CandidateCall { call, args: Ok(args), clamped, parent, model_id, .. },
            ) => Ok(Self { call, entry, args: Arc::new(args), clamped, parent, model_id }),
            (_, candidate) => Err(Box::new(candidate)),
        }
    }
}
