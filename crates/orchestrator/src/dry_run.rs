//! Decides about calls without making them.

use aileron_contract::ToolCall;
use aileron_contract::audit::TrailStep;
use aileron_contract::envelope::Clamp;
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use serde_json::Value;

use crate::admission::{DecidedCall, Decision};
use crate::candidate::CandidateCall;
use crate::conversation_core::ConversationCore;
use crate::pipeline::admission;
use crate::policy::StoreView;

/// One call of a dry run, with the decision about it.
#[derive(Debug)]
pub struct DryRunCall {
    pub decision: Decision,
    /// The arguments that the call would run with.
    pub args: Value,
    pub clamped: Vec<Clamp>,
    /// The preview that the person would be shown, if the call needs a confirmation.
    pub preview: Option<String>,
    /// Every policy the call met, the deciding one last. Empty for a call that repeats an earlier one of
    /// its message.
    pub trail: Vec<TrailStep>,
}

impl Serialize for DryRunCall {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("decision", self.decision.as_str())?;
        match &self.decision {
            Decision::Run(_) => {
                map.serialize_entry("args", &self.args)?;
                map.serialize_entry("clamped", &self.clamped)?;
            }
            Decision::Ask(_) => map.serialize_entry("preview", &self.preview)?,
            Decision::Refuse(refusal) => {
                map.serialize_entry("policy", &refusal.by)?;
                map.serialize_entry("error", &refusal.failure)?;
            }
            Decision::Hold(_) | Decision::Replay(..) => {}
        }
        map.serialize_entry("trail", &self.trail)?;
        map.end()
    }
}

/// Decides about the calls of one message as if the person had begun another turn, over a copy of the
/// conversation's policy state.
pub(crate) fn dry_run_next_turn(core: &ConversationCore, calls: Vec<ToolCall>) -> Vec<DryRunCall> {
    let (info, now) = (&core.info, core.info.now());
    let (mut policy, confirmations) = {
        let locked = core.lock();
        (locked.policy.clone(), locked.confirmations.clone())
    };
    policy.begin_turn(info.services.config.loops.history_turns, now);
    let candidate = |call| CandidateCall::new(call, &info.toolset);
    let calls = calls.into_iter().map(candidate).collect();
    let ledger = StoreView { store: info.store(), tasks: &info.services.tasks };
    let admission = admission(info, &confirmations, &ledger, now);
    let decided = admission.evaluate_batch(calls, &mut policy);
    let report = |DecidedCall { call, decision, trail }: DecidedCall| {
        let asks = matches!(decision, Decision::Ask(_));
        DryRunCall {
            decision,
            args: call.shown_args().clone(),
            preview: asks.then(|| call.preview(&info.services.platform)),
            clamped: call.clamped,
            trail: trail.all(),
        }
    };
    decided.into_iter().map(report).collect()
}
