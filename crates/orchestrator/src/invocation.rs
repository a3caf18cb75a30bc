//! A call that passed every policy: its tool is there, its arguments fit.

use std::sync::Arc;

use aileron_contract::envelope::Clamp;
use aileron_contract::spec::OnInterrupt;
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
}

impl Invocation {
    /// What an interruption does to the call: what it does to the outermost one it is inside of.
    pub(crate) fn on_interrupt(&self) -> OnInterrupt {
        let outermost = self.parent.as_ref().map(|parent| parent.on_interrupt());
        outermost.unwrap_or_else(|| self.entry.spec().on_interrupt())
    }

    /// The call of a candidate; the candidate itself if its tool or its arguments are missing.
    pub(crate) fn of(candidate: CandidateCall) -> Result<Self, Box<CandidateCall>> {
        if candidate.args.is_err() {
            return Err(Box::new(candidate));
        }
        match (candidate.entry().cloned(), candidate) {
            (Some(entry), CandidateCall { call, args: Ok(args), clamped, parent, .. }) => {
                Ok(Self { call, entry, args: Arc::new(args), clamped, parent })
            }
            (_, candidate) => Err(Box::new(candidate)),
        }
    }
}
