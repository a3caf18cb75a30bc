//! Duplicates: the same call is never run twice. What was answered is answered
//! again; what runs is waited for; what waits for the person, or was denied, is
//! not asked about again; a write that nobody finished stays unknown.

use aileron_contract::ErrorType;
use aileron_contract::envelope::Failure;
use aileron_store::Known;

use super::{Desk, Verdict};
use crate::ask::{HELD, waiting_failure};
use crate::draft::{Draft, Origin};

const NOT_LOOKED_UP: &str = "whether this call was made before cannot be looked up";
const DENIED: &str = "this call was made before, and it was not approved";

pub(super) fn check(draft: &mut Draft, desk: &mut Desk<'_>) -> Verdict {
    if draft.origin == Origin::Model
        && let Some(verdict) = answered_before(&draft.call.key, desk)
    {
        return verdict;
    }
    match desk.store.lookup(&desk.memory.scope.conversation, &draft.call.key) {
        Ok(None | Some(Known::Abandoned { writes: false })) => Verdict::Pass,
        Ok(Some(known)) => Verdict::Known(known),
        Err(_) => Verdict::refuse(ErrorType::Unavailable, NOT_LOOKED_UP),
    }
}

/// What a call was told that was not run.
fn answered_before(key: &str, desk: &Desk<'_>) -> Option<Verdict> {
    if let Some(answer) = desk.memory.refused.answer(key) {
        return Some(Verdict::Known(Known::Finished(answer.clone())));
    }
    let waits = |failure| Some(Verdict::Waits(Box::new(failure)));
    if let Some(question) = desk.memory.questions.put_by(key, desk.now) {
        return waits(waiting_failure(question.request.clone()));
    }
    if desk.memory.questions.hold(key) {
        return waits(Failure::new(ErrorType::ConfirmationRequired, HELD));
    }
    let is_denied = desk.memory.answered.is_denied(key);
    if is_denied { waits(Failure::new(ErrorType::Denied, DENIED)) } else { None }
}
