//! Availability: the tool's own condition over mode, person and conversation.

use aileron_contract::ErrorType;

use super::context::PolicyContext;
use super::result::PolicyResult;
use crate::candidate::CandidateCall;
use crate::expression::Variables;

pub(super) fn check(candidate: &mut CandidateCall, context: &PolicyContext<'_>) -> PolicyResult {
    let Some(condition) = candidate.entry().and_then(|entry| entry.available.as_ref()) else {
        return PolicyResult::PASS;
    };
    let conversation = context.state.view();
    let variables = Variables {
        mode: context.mode,
        user: context.user,
        conversation: Some(&conversation),
        args: None,
    };
    match condition.holds(&variables) {
        Ok(true) => PolicyResult::PASS,
        Ok(false) => {
            let message = format!("`{}` is not available here and now", candidate.call.tool_id);
            PolicyResult::refuse(ErrorType::Unavailable, message)
        }
        Err(error) => {
            candidate.defect = Some(format!("availability.condition: {error}"));
            let message = format!(
                "the availability condition of `{}` could not be evaluated, so the call is refused",
                candidate.call.tool_id
            );
            PolicyResult::refuse(ErrorType::Unavailable, message)
        }
    }
}
