//! Duplicates: the same call is never run twice. What was answered is answered
//! again; what runs is waited for; what the person is asked about is not asked
//! again; a write that nobody finished stays unknown.
//!
//! Where ids say nothing, what is called in a turn is one call. The same under another id is
//! another call of the model, though: it goes on to the rules about repetition, and is then
//! answered from the first.

use aileron_contract::ErrorType;
use aileron_store::{Known, StoreError};

use super::{Desk, Verdict};
use crate::draft::{Draft, Origin, Twin};

const NOT_LOOKED_UP: &str = "whether this call was made before cannot be looked up";

pub(super) fn check(draft: &mut Draft, desk: &mut Desk<'_>) -> Verdict {
    if draft.twin.is_some() {
        return Verdict::Pass;
    }
    match known(draft, desk) {
        Ok(None) => Verdict::Pass,
        Ok(Some(known)) if desk.memory.is_another(draft) => {
            draft.twin = Some(Twin::Known(known));
            Verdict::Pass
        }
        Ok(Some(known)) => Verdict::Known(known),
        Err(_) => Verdict::refuse(ErrorType::Unavailable, NOT_LOOKED_UP),
    }
}

fn known(draft: &Draft, desk: &Desk<'_>) -> Result<Option<Known>, StoreError> {
    if draft.origin == Origin::Model
        && let Some(known) = desk.memory.refused.known(&draft.call.key)
    {
        return Ok(Some(known));
    }
    let known = desk.store.lookup(&desk.memory.scope.conversation, &draft.call.key)?;
    Ok(known.filter(|known| !matches!(known, Known::Abandoned { writes: false })))
}
