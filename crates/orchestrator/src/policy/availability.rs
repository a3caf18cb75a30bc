//! Availability: the tool's own condition over mode, person and conversation.

use aileron_contract::ErrorType;

use super::{PolicyContext, PolicyResult};
use crate::candidate::CandidateCall;
use crate::expression::Variables;

pub(super) fn check(
    candidate: &mut CandidateCall,
    context: &mut PolicyContext<'_>,
) -> PolicyResult {
    let Some(condition) = candidate.entry().and_then(|entry| entry.available.as_ref()) else {
        return PolicyResult::Pass;
    };
    let conversation = context.memory.view();
    let variables = Variables {
        mode: context.mode,
        user: context.user,
        conversation: Some(&conversation),
        args: None,
    };
    match condition.holds(&variables) {
        Ok(true) => PolicyResult::Pass,
        Ok(false) => {
            let message = format!("`{}` is not available here and now", candidate.call.tool_id);
            PolicyResult::refuse(ErrorType::Unavailable, message)
        }
        Err(error) => {
            candidate.defect = Some(format!("availability.condition: {error}"));
            let message =
                format!("whether `{}` is available cannot be told", candidate.call.tool_id);
            PolicyResult::refuse(ErrorType::Unavailable, message)
        }
    }
}
