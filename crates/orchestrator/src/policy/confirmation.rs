//! Confirmation: a call that needs approval does not run before the person approves it.

use aileron_contract::envelope::Failure;
use aileron_contract::{ErrorType, Mode};

use super::context::PolicyContext;
use super::result::{Counted, PolicyMeasure, PolicyResult};
use crate::candidate::{CallOrigin, CandidateCall};
use crate::expression::{ExpressionError, Variables};
use crate::toolset::ToolEntry;

const NESTED: &str = "the person has to approve this tool, so no other tool may call it";
const UNDECIDED: &str =
    "the confirmation condition of this tool could not be evaluated, so the call is refused";

pub(super) fn check(candidate: &mut CandidateCall, context: &PolicyContext<'_>) -> PolicyResult {
    let Some(entry) = candidate.entry().cloned() else { return PolicyResult::PASS };
    if candidate.origin == CallOrigin::Approved || candidate.duplicate_of.is_some() {
        return PolicyResult::PASS;
    }
    match is_needed(&entry, candidate, context) {
        Ok(false) => PolicyResult::PASS,
        Ok(true) if candidate.is_nested() => {
            PolicyResult::refuse(ErrorType::ConfirmationRequired, NESTED)
        }
        Ok(true) => ask(candidate, context),
        Err(error) => {
            candidate.defect = Some(format!("confirmation.when: {error}"));
            PolicyResult::refuse(ErrorType::Unavailable, UNDECIDED)
        }
    }
}

fn is_needed(
    entry: &ToolEntry,
    candidate: &CandidateCall,
    context: &PolicyContext<'_>,
) -> Result<bool, ExpressionError> {
    if entry.spec().requires_confirmation {
        return Ok(true);
    }
    let (Some(when), Ok(args)) = (&entry.confirm_when, &candidate.args) else { return Ok(false) };
    when.holds(&Variables {
        mode: context.mode,
        user: context.user,
        conversation: None,
        args: Some(args),
    })
}

/// Speech answers one confirmation at a time: until the person has spoken, a second confirmation
/// would receive the answer to the first.
fn ask(candidate: &CandidateCall, context: &PolicyContext<'_>) -> PolicyResult {
    let open = context.confirmations.open_since(context.state.turn, context.now);
    let (pending, limit) = context.confirmations.pending(context.config, context.now);
    let measure = PolicyMeasure::new(Counted::OpenConfirmations, pending, limit);
    match open {
        Some(other) if context.mode == Mode::Voice && !other.is_for(candidate) => {
            let message = format!("the person is still being asked: {}", other.preview);
            let mut failure = Failure::new(ErrorType::ConfirmationRequired, message);
            failure.suggestion = Some("wait for their answer, then call again".to_owned());
            PolicyResult::refused(failure).by(measure)
        }
        _ if pending >= limit => {
            let message = "too many questions wait for the person already";
            PolicyResult::refuse(ErrorType::Unavailable, message).by(measure)
        }
        _ => PolicyResult::ASK.by(measure),
    }
}
