//! Duplicates: the same call is never run twice. What was answered is answered
//! again; what runs is waited for; what waits for the person, or was denied, is
//! not asked about again; a write that nobody finished stays unknown.

use std::sync::Arc;

use aileron_contract::ErrorType;
use aileron_contract::envelope::Failure;
use aileron_store::Known;

use super::{Desk, Verdict};
use crate::answered::Fate;
use crate::ask::{HELD, waiting_failure};
use crate::draft::Draft;

const NOT_LOOKED_UP: &str = "whether this call was made before cannot be looked up";
const DENIED: &str = "this call was made before, and it was not approved";

pub(super) fn check(draft: &mut Draft, desk: &mut Desk<'_>) -> Verdict {
    let own = draft.key(desk.memory);
    let key: Arc<str> = match desk.memory.answered.follow(&own) {
        Fate::KnownBy(key) if *key == *own => own,
        Fate::KnownBy(key) => key.into(),
        Fate::Denied => return waits(Failure::new(ErrorType::Denied, DENIED)),
    };
    if let Some(question) = desk.memory.questions.put_by(&key, desk.now) {
        return waits(waiting_failure(question.request.clone()));
    }
    if desk.memory.questions.hold(&key) {
        return waits(Failure::new(ErrorType::ConfirmationRequired, HELD));
    }
    match desk.store.lookup(&desk.memory.scope.conversation, &key) {
        Ok(None | Some(Known::Abandoned { writes: false })) => Verdict::Pass,
        Ok(Some(known)) => {
            draft.stand_for(key);
            Verdict::Known(known)
        }
        Err(_) => Verdict::refuse(ErrorType::Unavailable, NOT_LOOKED_UP),
    }
}

fn waits(failure: Failure) -> Verdict {
    Verdict::Waits(Box::new(failure))
}
