//! Conversation state: refuses calls in an ended conversation or by a blocked person.

use aileron_contract::ErrorType;

use super::context::PolicyContext;
use super::result::PolicyResult;
use crate::candidate::CandidateCall;
use crate::state::Lifecycle;

pub(super) fn check(_: &mut CandidateCall, context: &PolicyContext<'_>) -> PolicyResult {
    if let Lifecycle::Ended { .. } = context.state.state.lifecycle() {
        return PolicyResult::refuse(ErrorType::SessionInactive, "the conversation has ended");
    }
    let until = context.ledger.blocked_until(&context.state.block_id);
    match until.map(|until| until.saturating_sub(context.now)) {
        None | Some(0) => PolicyResult::PASS,
        Some(left) => {
            let seconds = left.div_ceil(1000);
            let message = format!("the person is blocked for another {seconds} seconds");
            PolicyResult::refuse(ErrorType::Unavailable, message)
        }
    }
}
