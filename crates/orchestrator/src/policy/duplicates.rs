//! Duplicates: the same call is never run twice. What was answered is answered
//! again, refusals too; what runs is waited for; what the person is asked about
//! is not asked again; a write that nobody finished stays unknown.
//!
//! The same id with another tool or other arguments is another call. A provider
//! may use an id twice, and both calls are made; a client of our own API is told so.
//!
//! Where ids say nothing, what is called in a turn is one call. The same under another id is
//! another call of the model, though: it goes on to the rules about repetition, and is then
//! answered from the first.

use aileron_contract::ErrorType;
use aileron_contract::envelope::Failure;
use aileron_store::{CallContent, Known, StoreError};

use super::{Desk, Verdict};
use crate::draft::{Draft, Ids, Origin, Twin};

const NOT_LOOKED_UP: &str = "whether this call was made before cannot be looked up";
const NEW_ID: &str = "send the call again under an id that was not used before";

pub(super) fn check(draft: &mut Draft, desk: &mut Desk<'_>) -> Verdict {
    if draft.twin.is_some() {
        return Verdict::Pass;
    }
    match (find(draft, desk), &draft.id_used_for) {
        (Ok(None), Some(other)) if draft.ids == Ids::Client => {
            Verdict::Refuse(conflict(draft, other))
        }
        (Ok(None), _) => Verdict::Pass,
        (Ok(Some(known)), _) if desk.memory.is_another(draft) => {
            draft.twin = Some(Twin::Known(known));
            Verdict::Pass
        }
        (Ok(Some(known)), _) => Verdict::Known(known),
        (Err(_), _) => Verdict::undecided(NOT_LOOKED_UP),
    }
}

/// What is known of this very call. If its id names another one, it is looked for under a key of
/// its own.
fn find(draft: &mut Draft, desk: &Desk<'_>) -> Result<Option<Known>, StoreError> {
    let known = known(draft, desk)?;
    if known.is_none() || !draft.is_named() {
        return Ok(known);
    }
    match content(draft, desk)?.filter(|found| *found != draft.content()) {
        None => Ok(known),
        Some(other) => {
            draft.tell_apart(other);
            self::known(draft, desk)
        }
    }
}

fn known(draft: &Draft, desk: &Desk<'_>) -> Result<Option<Known>, StoreError> {
    let known = desk.store.lookup(&desk.memory.scope.conversation, &draft.call.key)?;
    let known = known.filter(|known| !matches!(known, Known::Abandoned { writes: false }));
    Ok(match draft.origin {
        Origin::Model => known.or_else(|| desk.memory.deferred.known(&draft.call.key)),
        Origin::Approved | Origin::Released => known,
    })
}

/// The tool and the arguments of the call that has this key.
fn content(draft: &Draft, desk: &Desk<'_>) -> Result<Option<CallContent>, StoreError> {
    let deferred = desk.memory.deferred.content(&draft.call.key);
    match desk.store.content(&desk.memory.scope.conversation, &draft.call.key)? {
        Some(content) => Ok(Some(content)),
        None => Ok(deferred),
    }
}

fn conflict(draft: &Draft, other: &CallContent) -> Box<Failure> {
    let (id, tool) = (&draft.call.call_id, &other.tool);
    let message = match *tool == draft.call.tool_id {
        true => format!("the id `{id}` was used for a call of `{tool}` with other arguments"),
        false => format!("the id `{id}` was used for a call of `{tool}`, another tool"),
    };
    let mut failure = Failure::new(ErrorType::Conflict, message);
    failure.retryable = false;
    failure.suggestion = Some(NEW_ID.to_owned());
    Box::new(failure)
}
