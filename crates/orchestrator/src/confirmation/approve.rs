//! An approval: the call passes every policy again and runs, then the calls that waited for it.

use std::sync::Arc;

use aileron_contract::ToolResponse;
use aileron_store::{
    BeginConfirmedResult, BeginResult, Counter, Lease, PendingConfirmation, PendingWrite, Store,
    StoreError,
};
use tokio::sync::OwnedMutexGuard;

use super::close::{
    close_approved, decline, deny_all, reopen, resolve, resolved_meanwhile, store_resolution,
    stored, take,
};
use super::error::ConfirmError;
use super::record::ConfirmationRecord;
use super::resolution::{LateAnswer, Resolution};
use super::stored::{StoredConfirmation, WaitingCall};
use super::waiting_candidate::candidate;
use crate::admission::{DecidedCall, Decision, Finality, Refusal, Reservation};
use crate::candidate::{CallOrigin, CandidateCall, Duplicate};
use crate::conversation_core::ConversationCore;
use crate::event::{AnswerChannel, ConfirmationOutcome};
use crate::executor::PendingStart;
use crate::history::HistoryIndex;
use crate::invocation::Invocation;
use crate::pipeline::{admission, admit_candidates, enter, internal};
use crate::policy::{BatchCounts, PolicyName, StoreView};
use crate::refusal::refuse;
use crate::replayed_answer::{replay, replay_earlier};
use crate::run_call::{AdmittedCall, run_alone};
use crate::trail::Trail;

/// The right to resolve a confirmation of the conversation.
pub(super) type Deciding = OwnedMutexGuard<()>;

/// The result of a call that the person approved.
enum ApprovalResult {
    /// It ran, or was refused, because of this answer.
    Here(Arc<ToolResponse>),
    /// Another answer resolved the confirmation.
    Otherwise(Resolution),
}

/// A call that is being entered into the ledger, if its confirmation is still open.
struct ApprovedStart {
    pending: PendingStart<BeginConfirmedResult>,
    place: HistoryIndex,
    counter: Option<Box<Counter>>,
}

/// Runs the call that the person approved, then the calls that waited for it. The confirmation is
/// taken when the call starts or is refused.
pub(super) async fn approve(
    core: &Arc<ConversationCore>,
    pending: &PendingConfirmation,
    channel: AnswerChannel,
    deciding: Deciding,
) -> Result<Resolution, ConfirmError> {
    let stored = stored(pending)?;
    let answer = match make_approved(core, pending, &stored, channel, deciding).await? {
        ApprovalResult::Here(answer) => answer,
        ApprovalResult::Otherwise(resolution) => return Ok(resolution),
    };
    let mut late = vec![LateAnswer { call_id: stored.asked.call.call_id, answer }];
    late.extend(release(core, &pending.token, stored.siblings).await);
    Ok(Resolution::Approved(late))
}

async fn make_approved(
    core: &Arc<ConversationCore>,
    pending: &PendingConfirmation,
    stored: &StoredConfirmation,
    channel: AnswerChannel,
    deciding: Deciding,
) -> Result<ApprovalResult, ConfirmError> {
    let (info, id, asked) = (&core.info, &*pending.token, stored.asked.clone());
    let candidate = candidate(&info.toolset, asked, id, CallOrigin::Approved, 0);
    let candidate = candidate.ok_or(ConfirmError::Forged)?;
    let DecidedCall { call, decision, trail } = match decide(core, pending, candidate, channel) {
        Ok(Some(started)) => {
            let closing = (stored, channel);
            return run_approved(core, pending, closing, started, deciding).await;
        }
        Ok(None) => {
            drop(deciding);
            return resolved_meanwhile(core, id, true).await.map(ApprovalResult::Otherwise);
        }
        Err(stopped) => *stopped,
    };
    match decision {
        Decision::Refuse(refusal) => {
            let refusal = Refusal { finality: Finality::Final, ..refusal };
            refuse_approved(core, pending, (stored, channel), call, refusal, &trail).await
        }
        // The same call was made because of another confirmation, so there is nothing left to
        // approve.
        Decision::Replay(duplicate, _) => {
            let how = (ConfirmationOutcome::Superseded, AnswerChannel::Replaced);
            match decline(core, pending, how).await {
                Ok(Resolution::Known(_)) | Err(ConfirmError::Decided(_)) => {
                    drop(deciding);
                    let resolved = resolved_meanwhile(core, id, true).await;
                    return resolved.map(ApprovalResult::Otherwise);
                }
                closed => drop(closed?),
            }
            drop(deciding);
            let answer = match duplicate {
                Duplicate::Stored(known) => replay(info, &call.call, core.mode(), known).await,
                Duplicate::EarlierInBatch(_) => replay_earlier(info, &call.call, None),
            };
            let call_id = stored.asked.call.call_id.clone();
            let late = vec![LateAnswer { call_id, answer }];
            let known = Resolution::Known(Box::new(Resolution::Approved(late)));
            Ok(ApprovalResult::Otherwise(known))
        }
        // An approved call that passes is already started above, and the person is not asked about
        // it again.
        Decision::Run(_) | Decision::Ask(_) | Decision::Hold(_) => Err(ConfirmError::Unknown),
    }
}

/// Decides about the call by every policy again. If it passes, and the confirmation is still open,
/// it enters the ledger in the transaction that takes the confirmation. `None`: the confirmation
/// was resolved meanwhile.
fn decide(
    core: &ConversationCore,
    pending: &PendingConfirmation,
    candidate: CandidateCall,
    channel: AnswerChannel,
) -> Result<Option<ApprovedStart>, Box<DecidedCall>> {
    let (info, locked) = (&core.info, &mut *core.lock());
    let now = info.now();
    let ledger = StoreView { store: info.store(), tasks: &info.services.tasks };
    let admission = admission(info, &locked.confirmations, &ledger, now);
    let decided = admission.evaluate(candidate, &mut locked.policy, &mut BatchCounts::default());
    info.publish_decided(&decided.call, &decided.trail, locked.policy.turn);
    let Decision::Run(Reservation(place)) = decided.decision else {
        return Err(Box::new(decided));
    };
    let DecidedCall { mut call, trail, .. } = decided;
    let counter = call.rate.take();
    let invocation = match Invocation::of(call) {
        Ok(invocation) => invocation,
        Err(call) => {
            locked.policy.history.remove(place);
            let (by, finality) = (PolicyName::Arguments, Finality::Final);
            let refusal = Refusal { by, failure: Box::new(internal()), finality };
            let decision = Decision::Refuse(refusal);
            return Err(Box::new(DecidedCall { call: *call, decision, trail }));
        }
    };
    let how = ConfirmationOutcome::Approved;
    if !store_resolution(core, locked, pending, how).unwrap_or(false) {
        locked.policy.history.remove(place);
        return Ok(None);
    }
    let decision = ConfirmationRecord::of(info, how, channel).value();
    let begin =
        |store: &dyn Store, call| store.begin_confirmed(&pending.token, now, call, decision);
    let pending = enter(core, invocation, &trail, locked, now, begin);
    Ok(Some(ApprovedStart { pending, place, counter }))
}

/// Runs the call once no other write runs and its start is durable. While another write runs, the
/// lock on resolving is released, so that other answers find the resolution and wait for this call.
async fn run_approved(
    core: &Arc<ConversationCore>,
    pending: &PendingConfirmation,
    (stored, channel): (&StoredConfirmation, AnswerChannel),
    ApprovedStart { pending: start, place, counter }: ApprovedStart,
    deciding: Deciding,
) -> Result<ApprovalResult, ConfirmError> {
    let PendingStart { invocation, start, begun, running } = start;
    let (alone, deciding) = match core.executor.try_alone(&invocation) {
        Some(alone) => (alone, Some(deciding)),
        None => {
            drop(deciding);
            (core.executor.alone(&invocation).await, None)
        }
    };
    let begun = match begun.await {
        Ok(BeginConfirmedResult::Begun(begun @ BeginResult::Started(_))) => {
            PendingWrite::done(begun)
        }
        not => {
            drop(running);
            core.lock().policy.history.remove(place);
            let not_begun = not_begun(core, pending, &start.scope.lease, not).await;
            return not_begun.map(ApprovalResult::Otherwise);
        }
    };
    close_approved(core, &pending.token, stored, channel);
    drop(deciding);
    let pending = PendingStart { invocation, start, begun, running };
    let info = &core.info;
    let count = |counter: Box<Counter>| info.store().count_call(&counter, info.now());
    let counted = counter.map(count);
    Ok(ApprovalResult::Here(run_alone(core, AdmittedCall { pending, place, counted }, alone).await))
}

/// A policy refuses the call now, after the person was asked. The confirmation is still resolved.
async fn refuse_approved(
    core: &ConversationCore,
    pending: &PendingConfirmation,
    (stored, channel): (&StoredConfirmation, AnswerChannel),
    call: CandidateCall,
    refusal: Refusal,
    trail: &Trail,
) -> Result<ApprovalResult, ConfirmError> {
    let id = &*pending.token;
    let how = ConfirmationOutcome::Approved;
    let Some(scope) = resolve(core, pending, how)? else {
        return resolved_meanwhile(core, id, true).await.map(ApprovalResult::Otherwise);
    };
    take(core, id, &scope, (how, channel)).await?;
    close_approved(core, id, stored, channel);
    let answered = {
        let locked = core.lock();
        let now = (&locked.policy, &locked.confirmations, core.info.now());
        refuse(&core.info, call, refusal, trail, now)
    };
    Ok(ApprovalResult::Here(answered.wait().await))
}

/// Handles an approved call that did not start: the confirmation has expired, another process has
/// taken it, or the store cannot be written. Resolves nothing.
async fn not_begun(
    core: &ConversationCore,
    pending: &PendingConfirmation,
    made_under: &Lease,
    why: Result<BeginConfirmedResult, StoreError>,
) -> Result<Resolution, ConfirmError> {
    reopen(core, &pending.token, made_under);
    match why {
        Ok(BeginConfirmedResult::Expired(pending)) => {
            let how = ConfirmationOutcome::Expired;
            store_resolution(core, &mut core.lock(), &pending, how)?;
            let closing = (how, AnswerChannel::Timeout);
            Ok(Resolution::Expired(deny_all(core, &pending, closing).await?))
        }
        Ok(BeginConfirmedResult::Begun(_) | BeginConfirmedResult::Unknown) => {
            Err(ConfirmError::Unknown)
        }
        Err(error) => Err(error.into()),
    }
}

/// Runs the calls that waited for an approved one.
async fn release(
    core: &Arc<ConversationCore>,
    id: &str,
    siblings: Vec<WaitingCall>,
) -> Vec<LateAnswer> {
    let ids: Vec<_> = siblings.iter().map(|waiting| waiting.call.call_id.clone()).collect();
    let (toolset, origin) = (&core.info.toolset, CallOrigin::Released);
    let candidates = siblings.into_iter().enumerate();
    let candidates =
        candidates.filter_map(|(n, waiting)| candidate(toolset, waiting, id, origin, n + 1));
    let answers = admit_candidates(core, candidates.collect()).run(core).await;
    let late = |(call_id, answer)| LateAnswer { call_id, answer };
    ids.into_iter().zip(answers).map(late).collect()
}
