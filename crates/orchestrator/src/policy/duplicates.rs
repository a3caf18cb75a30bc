//! Duplicates: the same call is never run twice. What was answered is answered
//! again; what runs is waited for; what the person is asked about is not asked
//! again; a write that nobody finished stays unknown.

use aileron_contract::ErrorType;
use aileron_store::Known;

use super::{Desk, Verdict};
use crate::draft::Draft;

const NOT_LOOKED_UP: &str = "whether this call was made before cannot be looked up";

pub(super) fn check(draft: &mut Draft, desk: &mut Desk<'_>) -> Verdict {
    let key = draft.key(desk.memory);
    if let Some(question) = desk.memory.questions.put_by(&key, desk.now) {
        return Verdict::Asked(Box::new(question.request.clone()));
    }
    match desk.store.lookup(&desk.memory.scope.conversation, &key) {
        Ok(None | Some(Known::Abandoned { writes: false })) => Verdict::Pass,
        Ok(Some(known)) => Verdict::Known(known),
        Err(_) => Verdict::refuse(ErrorType::Unavailable, NOT_LOOKED_UP),
    }
}
