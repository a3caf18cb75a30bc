//! Known tool: refuses a call of an unknown tool and names the most similar tools.

use aileron_contract::ErrorType;
use aileron_contract::envelope::Failure;
use serde_json::json;

use super::context::PolicyContext;
use super::result::PolicyResult;
use crate::candidate::CandidateCall;

pub(super) fn check(candidate: &mut CandidateCall, context: &PolicyContext<'_>) -> PolicyResult {
    if candidate.entry().is_some() {
        return PolicyResult::PASS;
    }
    let closest = context.toolset.registry().closest(&candidate.call.tool_id);
    let shown: String = candidate.call.tool_id.chars().take(80).collect();
    let mut failure = Failure::new(ErrorType::NotFound, format!("there is no tool {shown:?}"));
    if !closest.is_empty() {
        failure.suggestion = Some(format!("the closest are: {}", closest.join(", ")));
        failure.details = Some(json!({ "closest": closest }));
    }
    PolicyResult::refused(failure)
}
