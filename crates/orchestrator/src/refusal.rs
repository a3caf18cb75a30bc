//! Answers to calls that do not run: each is recorded, and a final one is stored like the answer of
//! a call that ran.

use std::sync::Arc;

use aileron_capability::envelope::failed;
use aileron_contract::envelope::Failure;
use aileron_contract::{ErrorType, Outcome, ToolResponse};
use aileron_store::PendingWrite;

use crate::admission::{Finality, Refusal};
use crate::candidate::{CallOrigin, CandidateCall};
use crate::confirmation::Confirmations;
use crate::conversation_info::ConversationInfo;
use crate::policy_state::PolicyState;
use crate::trail::Trail;

const NOT_ENTERED: &str = "actions cannot be recorded at the moment, so none is begun";

/// A call that was answered without being run.
#[derive(Debug)]
pub(crate) struct AnsweredCall {
    pub(crate) answer: Arc<ToolResponse>,
    pub(crate) recorded: PendingWrite<()>,
    /// The answer to a call that writes if its refusal cannot be stored: the call could run when it
    /// is delivered again.
    pub(crate) if_not_kept: Option<Arc<ToolResponse>>,
}

impl AnsweredCall {
    /// The answer, once it may be sent. If the record cannot be written now, the store retries it.
    pub(crate) async fn wait(self) -> Arc<ToolResponse> {
        match (self.recorded.await, self.if_not_kept) {
            (Err(_), Some(instead)) => instead,
            (Ok(()) | Err(_), _) => self.answer,
        }
    }
}

/// Answers a call that does not run, and records it. A final refusal is stored in the ledger, so
/// that the call gets the same answer whenever it is delivered again. A call that waits for the
/// person keeps waiting if another delivery of it is refused.
pub(crate) fn refuse(
    info: &ConversationInfo,
    mut candidate: CandidateCall,
    Refusal { by, failure, finality }: Refusal,
    trail: &Trail,
    (state, confirmations, now): (&PolicyState, &Confirmations, u64),
) -> AnsweredCall {
    state.assign_key(&mut candidate);
    if let Some(what) = candidate.defect.take() {
        info.publish_defect(&candidate.call, what);
    }
    let waits =
        candidate.origin == CallOrigin::Model && confirmations.is_waiting(&candidate.call.key);
    let finality = match candidate.keeps_refusal() && !waits {
        true => finality,
        false => Finality::Provisional,
    };
    let (call, args) = (&candidate.call, Arc::new(candidate.shown_args().clone()));
    let outcome = Outcome::refused_by(by.as_str());
    let start = info.call_start(call, args, trail, state, now);
    let answer = Arc::new(failed(*failure, info.stamp(call)));
    let (store, given) = (info.store(), answer.clone());
    let recorded = match finality {
        Finality::Final => store.refuse(start, outcome.clone(), given),
        Finality::Provisional => store.record_refusal(start, outcome.clone(), given),
    };
    info.publish_answered(call.entry.as_deref(), outcome, &answer);
    let must_be_kept = finality == Finality::Final && call.writes();
    let if_not_kept = must_be_kept.then(|| Arc::new(failed(not_entered(), info.stamp(call))));
    AnsweredCall { answer, recorded, if_not_kept }
}

/// The failure of a call that writes while the store cannot record it.
pub(crate) fn not_entered() -> Failure {
    let mut failure = Failure::new(ErrorType::Unavailable, NOT_ENTERED);
    failure.suggestion = Some("say so, and try again later".to_owned());
    failure
}
