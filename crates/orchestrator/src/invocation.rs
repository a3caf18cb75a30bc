//! A call that passed every policy: its tool is there, its arguments fit.

use std::sync::Arc;

use aileron_contract::envelope::Clamp;
use aileron_contract::spec::OnInterrupt;
use serde_json::Value;

use crate::call_identity::CallIdentity;
use crate::candidate::CandidateCall;
use crate::nested::ParentCall;
use crate::toolset::Entry;

/// A call that may run.
#[derive(Debug)]
pub(crate) struct Invocation {
    pub(crate) call: CallIdentity,
    pub(crate) entry: Arc<Entry>,
    pub(crate) args: Arc<Value>,
    pub(crate) clamped: Vec<Clamp>,
    /// The calls this one is made inside of.
    pub(crate) chain: Option<Arc<ParentCall>>,
}

impl Invocation {
    /// What an interruption does to the call: what it does to the outermost one it is inside of.
    pub(crate) fn on_interrupt(&self) -> OnInterrupt {
        let outermost = self.chain.as_ref().map(|chain| chain.on_interrupt());
        outermost.unwrap_or_else(|| self.entry.spec().on_interrupt())
    }

    /// The call of a candidate, unless its tool or its arguments are missing.
    pub(crate) fn of(candidate: CandidateCall) -> Result<Self, CallIdentity> {
        let CandidateCall { call, args, clamped, chain, .. } = candidate;
        match (call.entry.clone(), args) {
            (Some(entry), Ok(args)) => {
                Ok(Self { call, entry, args: Arc::new(args), clamped, chain })
            }
            _ => Err(call),
        }
    }
}
