//! A call that passed every policy: its tool is there, its arguments fit.

use std::sync::Arc;

use aileron_contract::envelope::Clamp;
use aileron_contract::spec::OnInterrupt;
use serde_json::Value;

use crate::chain::Chain;
use crate::draft::Draft;
use crate::identity::Identity;
use crate::toolset::Entry;

/// A call that may run.
#[derive(Debug)]
pub(crate) struct Invocation {
    pub(crate) call: Identity,
    pub(crate) entry: Arc<Entry>,
    pub(crate) args: Arc<Value>,
    pub(crate) clamped: Vec<Clamp>,
    /// The calls this one is made inside of.
    pub(crate) chain: Option<Arc<Chain>>,
}

impl Invocation {
    /// What an interruption does to the call: what it does to the outermost one it is inside of.
    pub(crate) fn on_interrupt(&self) -> OnInterrupt {
        let outermost = self.chain.as_ref().map(|chain| chain.on_interrupt());
        outermost.unwrap_or_else(|| self.entry.spec().on_interrupt())
    }

    /// The call of a draft, unless its tool or its arguments are missing.
    pub(crate) fn of(draft: Draft) -> Result<Self, Identity> {
        let Draft { call, args, clamped, chain, .. } = draft;
        match (call.entry.clone(), args) {
            (Some(entry), Ok(args)) => {
                Ok(Self { call, entry, args: Arc::new(args), clamped, chain })
            }
            _ => Err(call),
        }
    }
}
