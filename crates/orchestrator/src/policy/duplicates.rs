//! Duplicates: the same call is never run twice. What was answered is answered
//! again; what runs is waited for; what the person is asked about is not asked
//! again; a write that nobody finished stays unknown.

use aileron_contract::ErrorType;
use aileron_store::Known;

use super::{Desk, Verdict};
use crate::draft::{Draft, Origin};

const NOT_LOOKED_UP: &str = "whether this call was made before cannot be looked up";

pub(super) fn check(draft: &mut Draft, desk: &mut Desk<'_>) -> Verdict {
    if draft.origin == Origin::Model
        && let Some(answer) = desk.memory.refused.answer(&draft.call.key)
    {
        return Verdict::Known(Known::Finished(answer.clone()));
    }
    match desk.store.lookup(&desk.memory.scope.conversation, &draft.call.key) {
        Ok(None | Some(Known::Abandoned { writes: false })) => Verdict::Pass,
        Ok(Some(known)) => Verdict::Known(known),
        Err(_) => Verdict::refuse(ErrorType::Unavailable, NOT_LOOKED_UP),
    }
}
