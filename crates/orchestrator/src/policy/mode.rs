//! Mode: a tool runs in the modes it allows. The mode is the conversation's, never inferred.

use aileron_contract::envelope::Failure;
use aileron_contract::{ErrorType, Mode};

use super::context::PolicyContext;
use super::result::PolicyResult;
use crate::candidate::CandidateCall;

pub(super) fn check(candidate: &mut CandidateCall, context: &PolicyContext<'_>) -> PolicyResult {
    let Some(spec) = candidate.spec() else { return PolicyResult::PASS };
    if spec.allowed_modes.contains(context.mode) {
        return PolicyResult::PASS;
    }
    let allowed: Vec<_> = spec.allowed_modes.iter().map(Mode::as_str).collect();
    let message = format!(
        "`{}` works in {} only, and this conversation is held in {}",
        spec.tool_id,
        allowed.join(" and "),
        context.mode
    );
    let mut failure = Failure::new(ErrorType::ModeRestricted, message);
    failure.suggestion = Some(way_on(context.mode).to_owned());
    PolicyResult::refused(failure)
}

/// How the model can continue in the other mode.
fn way_on(mode: Mode) -> &'static str {
    match mode {
        Mode::Voice => "say that this is done in text, and offer to go on there",
        Mode::Text => "say that this is done in voice, and offer to go on there",
    }
}
