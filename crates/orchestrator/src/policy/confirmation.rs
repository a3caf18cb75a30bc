//! Confirmation: what the person has to approve is not run before they do.

use aileron_contract::envelope::Failure;
use aileron_contract::{ErrorType, Mode};

use super::{Desk, Verdict};
use crate::draft::{Draft, Origin};
use crate::expression::{ExpressionError, Variables};
use crate::toolset::Entry;

const NESTED: &str = "the person has to approve this tool, so no other tool may call it";
const UNDECIDED: &str = "whether the person has to approve this cannot be told";

pub(super) fn check(draft: &mut Draft, desk: &mut Desk<'_>) -> Verdict {
    let Some(entry) = draft.entry().cloned() else { return Verdict::Pass };
    if draft.origin == Origin::Approved || draft.twin.is_some() {
        return Verdict::Pass;
    }
    match is_needed(&entry, draft, desk) {
        Ok(false) => Verdict::Pass,
        Ok(true) if draft.is_nested() => Verdict::refuse(ErrorType::ConfirmationRequired, NESTED),
        Ok(true) => ask(draft, desk),
        Err(error) => {
            draft.defect = Some(format!("confirmation.when: {error}"));
            Verdict::refuse(ErrorType::Unavailable, UNDECIDED)
        }
    }
}

fn is_needed(entry: &Entry, draft: &Draft, desk: &Desk<'_>) -> Result<bool, ExpressionError> {
    if entry.spec().requires_confirmation {
        return Ok(true);
    }
    let (Some(when), Ok(args)) = (&entry.confirm_when, &draft.args) else { return Ok(false) };
    when.holds(&Variables {
        mode: desk.mode,
        user: desk.user,
        conversation: None,
        args: Some(args),
    })
}

/// One question at a time can be answered by speech: while the person has not spoken since the last
/// one, another would take its answer.
fn ask(draft: &Draft, desk: &Desk<'_>) -> Verdict {
    let open = desk.memory.questions.open_since(desk.memory.turn, desk.now);
    match open {
        Some(question) if desk.mode == Mode::Voice && !question.is_for(draft) => {
            let message = format!("the person is still being asked: {}", question.preview);
            let mut failure = Failure::new(ErrorType::ConfirmationRequired, message);
            failure.suggestion = Some("wait for their answer, then call again".to_owned());
            Verdict::Refuse(Box::new(failure))
        }
        _ if desk.memory.questions.are_too_many(desk.config, desk.now) => {
            let message = "too many questions wait for the person already";
            Verdict::refuse(ErrorType::Unavailable, message)
        }
        _ => Verdict::Ask,
    }
}
