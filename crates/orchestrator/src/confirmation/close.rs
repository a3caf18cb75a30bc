//! Closes confirmations: each is resolved once, and the calls that waited for it are answered.

use std::sync::Arc;

use aileron_capability::envelope::failed;
use aileron_contract::envelope::Failure;
use aileron_contract::{Arguments, ErrorType, Outcome, ToolCall, ToolResponse};
use aileron_store::{CallScope, Lease, PendingConfirmation, TakeRecord, TakeResult};
use serde::Deserialize;

use super::error::ConfirmError;
use super::record::ConfirmationRecord;
use super::resolution::{LateAnswer, Resolution};
use super::stored::{ResolvedConfirmation, StoredConfirmation, WaitingCall};
use super::waiting_candidate::candidate;
use crate::candidate::{CallOrigin, CandidateCall};
use crate::conversation_core::{ConversationCore, Locked};
use crate::event::{AnswerChannel, ConfirmationOutcome, ConversationEvent};
use crate::persistence::save;
use crate::replayed_answer::replay;
use crate::token;
use crate::trail::Trail;

const DECLINED: &str = "the person said no";
const EXPIRED: &str = "the person did not answer in time";
const DECLINED_WITH: &str = "the person said no to another call of the same message";
const EXPIRED_WITH: &str = "the person did not answer in time about another call of the message";
const RETRACTED: &str = "the person changed their mind before they had answered";
const RETRACTED_WITH: &str = "the person changed their mind about another call of the same message";

/// How and through which channel a confirmation is closed.
pub(super) type Closing = (ConfirmationOutcome, AnswerChannel);

/// The stored form of a pending confirmation.
pub(super) fn stored(pending: &PendingConfirmation) -> Result<StoredConfirmation, ConfirmError> {
    StoredConfirmation::deserialize(&*pending.body).map_err(|_| ConfirmError::Forged)
}

/// Stores a resolution before it has any effect: the store applies changes in their order. Returns
/// `false` if the confirmation was already resolved.
pub(super) fn store_resolution(
    core: &ConversationCore,
    locked: &mut Locked,
    pending: &PendingConfirmation,
    how: ConfirmationOutcome,
) -> Result<bool, ConfirmError> {
    let StoredConfirmation { asked, token, .. } = stored(pending)?;
    let resolved = ResolvedConfirmation::new((&pending.token, &token), &asked, how);
    let is_first = locked.confirmations.resolve(resolved);
    if is_first {
        save(core, locked);
    }
    Ok(is_first)
}

/// Stores a resolution; returns the scope with the lease it was made under. `None` if the
/// confirmation was already resolved.
pub(super) fn resolve(
    core: &ConversationCore,
    pending: &PendingConfirmation,
    how: ConfirmationOutcome,
) -> Result<Option<Arc<CallScope>>, ConfirmError> {
    let locked = &mut *core.lock();
    let is_first = store_resolution(core, locked, pending, how)?;
    Ok(is_first.then(|| locked.policy.scope.clone()))
}

/// Undoes a resolution that the store could not apply. If the conversation was acquired again
/// since, its state comes from the store, and a resolution in it belongs to another process.
pub(super) fn reopen(core: &ConversationCore, id: &str, made_under: &Lease) {
    let mut locked = core.lock();
    if locked.policy.scope.lease == *made_under {
        locked.confirmations.reopen(id);
        save(core, &mut locked);
    }
}

/// Takes a confirmation from the store under the lease it was resolved under. If it is missing or
/// cannot be taken, the resolution is undone.
pub(super) async fn take(
    core: &ConversationCore,
    id: &str,
    scope: &CallScope,
    (how, channel): Closing,
) -> Result<(), ConfirmError> {
    let info = &core.info;
    let record = TakeRecord::Decided(ConfirmationRecord::of(info, how, channel).value());
    let error = match info.store().take_confirmation(id, info.now(), scope, record).await {
        Ok(TakeResult::Pending(_) | TakeResult::Expired(_)) => return Ok(()),
        Ok(TakeResult::Unknown) => ConfirmError::Unknown,
        Err(error) => error.into(),
    };
    reopen(core, id, &scope.lease);
    Err(error)
}

/// Resolves a confirmation that is not approved. One past its time limit is resolved as expired.
pub(super) async fn decline(
    core: &ConversationCore,
    pending: &PendingConfirmation,
    closing: Closing,
) -> Result<Resolution, ConfirmError> {
    let id = &*pending.token;
    let is_over = pending.expires <= core.info.now();
    let closing =
        if is_over { (ConfirmationOutcome::Expired, AnswerChannel::Timeout) } else { closing };
    let how = closing.0;
    let Some(scope) = resolve(core, pending, how)? else {
        return resolved_meanwhile(core, id, false).await;
    };
    take(core, id, &scope, closing).await?;
    let late = deny_all(core, pending, closing).await?;
    Ok(match how {
        ConfirmationOutcome::Declined | ConfirmationOutcome::Approved => Resolution::Declined(late),
        ConfirmationOutcome::Expired => Resolution::Expired(late),
        ConfirmationOutcome::Superseded => Resolution::Superseded(late),
    })
}

/// The resolution of an answer that came after another one.
pub(super) async fn resolved_meanwhile(
    core: &ConversationCore,
    id: &str,
    approve: bool,
) -> Result<Resolution, ConfirmError> {
    let resolved = core.lock().confirmations.resolution(id).cloned();
    earlier_resolution(core, resolved.ok_or(ConfirmError::Unknown)?, approve).await
}

/// An answer that agrees with the earlier resolution gets its result; a different answer is too
/// late.
pub(super) async fn earlier_resolution(
    core: &ConversationCore,
    resolved: ResolvedConfirmation,
    approve: bool,
) -> Result<Resolution, ConfirmError> {
    let resolution: fn(Vec<LateAnswer>) -> Resolution = match (resolved.how, approve) {
        (ConfirmationOutcome::Approved, true) => Resolution::Approved,
        (ConfirmationOutcome::Declined, false) => Resolution::Declined,
        (ConfirmationOutcome::Expired, _) => Resolution::Expired,
        (how, _) => return Err(ConfirmError::Decided(how)),
    };
    let how = resolved.how;
    let late = late_answer(core, resolved).await?.ok_or(ConfirmError::Decided(how))?;
    Ok(Resolution::Known(Box::new(resolution(vec![late]))))
}

/// The answer that a resolution led to; waits for a running call. `None` if the ledger has none.
async fn late_answer(
    core: &ConversationCore,
    resolved: ResolvedConfirmation,
) -> Result<Option<LateAnswer>, ConfirmError> {
    let info = &core.info;
    let Some(known) = info.store().lookup(&info.id, &resolved.key)? else { return Ok(None) };
    let ResolvedConfirmation { id, call_id, tool_id, key, .. } = resolved;
    let call = ToolCall { call_id: call_id.clone(), tool_id, args: Arguments::default() };
    let waiting = WaitingCall { call, key, given: None };
    let candidate = candidate(&info.toolset, waiting, &id, CallOrigin::Approved, 0);
    let candidate = candidate.ok_or(ConfirmError::Unknown)?;
    let answer = replay(info, &candidate.call, core.mode(), known).await;
    Ok(Some(LateAnswer { call_id, answer }))
}

/// The answer that the confirmation of a token led to, whichever channel the person answered
/// through.
pub(crate) async fn late_answer_of(core: &ConversationCore, token: &str) -> Option<LateAnswer> {
    let id = token::id_of(token)?;
    let resolved = core.lock().confirmations.resolution(id).cloned()?;
    match resolved.token == token && resolved.how != ConfirmationOutcome::Superseded {
        true => late_answer(core, resolved).await.ok().flatten(),
        false => None,
    }
}

/// Denies the calls that waited for a confirmation that was not approved.
pub(super) async fn deny_all(
    core: &ConversationCore,
    pending: &PendingConfirmation,
    (how, channel): Closing,
) -> Result<Vec<LateAnswer>, ConfirmError> {
    let [why, why_with] = match how {
        ConfirmationOutcome::Approved | ConfirmationOutcome::Declined => [DECLINED, DECLINED_WITH],
        ConfirmationOutcome::Expired => [EXPIRED, EXPIRED_WITH],
        ConfirmationOutcome::Superseded => [RETRACTED, RETRACTED_WITH],
    };
    let outcome = match how {
        ConfirmationOutcome::Superseded => Outcome::Superseded,
        ConfirmationOutcome::Approved
        | ConfirmationOutcome::Declined
        | ConfirmationOutcome::Expired => Outcome::Denied,
    };
    let StoredConfirmation { asked, siblings, .. } = stored(pending)?;
    close(core, &pending.token, (how, channel));
    let mut late = Vec::new();
    for (n, waiting) in std::iter::once(asked).chain(siblings).enumerate() {
        let why = if n == 0 { why } else { why_with };
        let call_id = waiting.call.call_id.clone();
        let (toolset, origin) = (&core.info.toolset, CallOrigin::Approved);
        if let Some(candidate) = candidate(toolset, waiting, &pending.token, origin, n) {
            let answer = deny(core, &candidate, why, outcome.clone()).await;
            late.push(LateAnswer { call_id, answer });
        }
    }
    Ok(late)
}

async fn deny(
    core: &ConversationCore,
    candidate: &CandidateCall,
    why: &str,
    outcome: Outcome,
) -> Arc<ToolResponse> {
    let (info, call) = (&core.info, &candidate.call);
    let answer = Arc::new(failed(Failure::new(ErrorType::Denied, why), info.stamp(call)));
    let args = Arc::new(candidate.shown_args().clone());
    let start = {
        let mut locked = core.lock();
        locked.confirmations.stop_waiting(&call.key);
        info.call_start(call, args, &Trail::default(), &locked.policy, info.now())
    };
    let recorded = info.store().refuse(start, outcome.clone(), answer.clone());
    // Durable, like the answer to a write. If the record cannot be written now, the store retries
    // it.
    let _ = recorded.await;
    info.publish_answered(call.entry.as_deref(), outcome, &answer);
    answer
}

/// Closes an approved confirmation. Its waiting calls are released.
pub(super) fn close_approved(
    core: &ConversationCore,
    id: &str,
    stored: &StoredConfirmation,
    channel: AnswerChannel,
) {
    let mut locked = core.lock();
    stored.calls().for_each(|waiting| locked.confirmations.stop_waiting(&waiting.key));
    drop(locked);
    close(core, id, (ConfirmationOutcome::Approved, channel));
}

/// Removes a confirmation from the list.
fn close(core: &ConversationCore, id: &str, (how, channel): Closing) {
    core.lock().confirmations.remove(id);
    let token_id = id.to_owned();
    core.info.publish(|| ConversationEvent::ConfirmationClosed { token_id, how, channel });
}
