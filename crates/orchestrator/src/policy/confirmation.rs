//! Confirmation: what the person has to approve is not run before they do.

use aileron_contract::envelope::Failure;
use aileron_contract::{ErrorType, Mode};

use super::{PolicyContext, PolicyResult};
use crate::candidate::{CallOrigin, CandidateCall};
use crate::expression::{ExpressionError, Variables};
use crate::toolset::Entry;

const NESTED: &str = "the person has to approve this tool, so no other tool may call it";
const UNDECIDED: &str = "whether the person has to approve this cannot be told";

pub(super) fn check(
    candidate: &mut CandidateCall,
    context: &mut PolicyContext<'_>,
) -> PolicyResult {
    let Some(entry) = candidate.entry().cloned() else { return PolicyResult::Pass };
    if candidate.origin == CallOrigin::Approved || candidate.duplicate_of.is_some() {
        return PolicyResult::Pass;
    }
    match is_needed(&entry, candidate, context) {
        Ok(false) => PolicyResult::Pass,
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
    entry: &Entry,
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

/// One question at a time can be answered by speech: while the person has not spoken since the last
/// one, another would take its answer.
fn ask(candidate: &CandidateCall, context: &PolicyContext<'_>) -> PolicyResult {
    let open = context.memory.questions.open_since(context.memory.turn, context.now);
    match open {
        Some(question) if context.mode == Mode::Voice && !question.is_for(candidate) => {
            let message = format!("the person is still being asked: {}", question.preview);
            let mut failure = Failure::new(ErrorType::ConfirmationRequired, message);
            failure.suggestion = Some("wait for their answer, then call again".to_owned());
            PolicyResult::Refuse(Box::new(failure))
        }
        _ if context.memory.questions.are_too_many(context.config, context.now) => {
            let message = "too many questions wait for the person already";
            PolicyResult::refuse(ErrorType::Unavailable, message)
        }
        _ => PolicyResult::Ask,
    }
}
