//! Duplicates: the same call never runs twice. A finished or refused call gets its stored answer; a
//! running one is awaited; the person is not asked twice about one call; the outcome of an
//! abandoned write stays unknown.
//!
//! The same id with another tool or other arguments is another call. A provider may use an id
//! twice, and both calls are made; a client of our own API gets an error.
//!
//! If ids do not identify calls, calls of a turn with the same content are one call. The same
//! content under another id still counts as another call of the model: it passes the loop policy,
//! and is then answered from the first.

use aileron_contract::ErrorType;
use aileron_contract::envelope::Failure;
use aileron_store::{CallContent, CallStatus, StoreError};

use super::context::PolicyContext;
use super::result::PolicyResult;
use crate::candidate::{CallOrigin, CandidateCall, Duplicate, IdSource};

const NOT_LOOKED_UP: &str = "whether this call was made before cannot be looked up";
const NEW_ID: &str = "send the call again under an id that was not used before";

pub(super) fn check(candidate: &mut CandidateCall, context: &PolicyContext<'_>) -> PolicyResult {
    if candidate.duplicate_of.is_some() {
        return PolicyResult::PASS;
    }
    match (find(candidate, context), &candidate.id_used_for) {
        (Ok(None), Some(other)) if candidate.ids == IdSource::Client => {
            PolicyResult::refused(conflict(candidate, other))
        }
        (Ok(None), _) => PolicyResult::PASS,
        (Ok(Some(known)), _) if context.state.is_new_id_of_same_call(candidate) => {
            candidate.duplicate_of = Some(Duplicate::Stored(known));
            PolicyResult::PASS
        }
        (Ok(Some(known)), _) => PolicyResult::duplicate(known),
        (Err(_), _) => PolicyResult::undecided(NOT_LOOKED_UP),
    }
}

/// The status of this very call. If its id belongs to another call, it is looked up under a
/// separate key.
fn find(
    candidate: &mut CandidateCall,
    context: &PolicyContext<'_>,
) -> Result<Option<CallStatus>, StoreError> {
    let known = known(candidate, context)?;
    if known.is_none() || !candidate.has_provider_key() {
        return Ok(known);
    }
    match content(candidate, context)?.filter(|found| *found != candidate.content()) {
        None => Ok(known),
        Some(other) => {
            candidate.tell_apart(other);
            self::known(candidate, context)
        }
    }
}

fn known(
    candidate: &CandidateCall,
    context: &PolicyContext<'_>,
) -> Result<Option<CallStatus>, StoreError> {
    let known =
        context.ledger.call_status(&context.state.scope.conversation, &candidate.call.key)?;
    let known = known.filter(|known| !matches!(known, CallStatus::Abandoned { writes: false }));
    Ok(match candidate.origin {
        CallOrigin::Model => {
            known.or_else(|| context.confirmations.waiting_status(&candidate.call.key))
        }
        CallOrigin::Approved | CallOrigin::Released => known,
    })
}

/// The tool and the arguments of the call that has this key.
fn content(
    candidate: &CandidateCall,
    context: &PolicyContext<'_>,
) -> Result<Option<CallContent>, StoreError> {
    let deferred = context.confirmations.waiting_content(&candidate.call.key);
    match context.ledger.call_content(&context.state.scope.conversation, &candidate.call.key)? {
        Some(content) => Ok(Some(content)),
        None => Ok(deferred),
    }
}

fn conflict(candidate: &CandidateCall, other: &CallContent) -> Failure {
    let (id, tool) = (&candidate.call.call_id, &other.tool);
    let message = match *tool == candidate.call.tool_id {
        true => format!("the id `{id}` was used for a call of `{tool}` with other arguments"),
        false => format!("the id `{id}` was used for a call of `{tool}`, another tool"),
    };
    let mut failure = Failure::new(ErrorType::Conflict, message);
    failure.retryable = false;
    failure.suggestion = Some(NEW_ID.to_owned());
    failure
}
