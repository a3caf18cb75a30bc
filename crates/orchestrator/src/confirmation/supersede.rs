//! Confirmations that a newer one replaces.

use std::sync::Arc;

use aileron_capability::envelope::failed;
use aileron_contract::envelope::Failure;
use aileron_contract::{ErrorType, Outcome};
use aileron_store::{CallScope, PendingWrite, TakeRecord, TakeResult};

use super::close::Closing;
use super::record::ConfirmationRecord;
use super::state::OpenConfirmation;
use super::waiting_candidate::candidate;
use crate::call_identity::CallIdentity;
use crate::candidate::CallOrigin;
use crate::conversation_core::ConversationCore;
use crate::conversation_info::ConversationInfo;
use crate::event::{AnswerChannel, ConfirmationOutcome, ConversationEvent};
use crate::persistence::save;
use crate::refusal::AnsweredCall;
use crate::trail::Trail;

const SUPERSEDED: &str =
    "the person was asked something else instead, before they had answered this";

const HOW: Closing = (ConfirmationOutcome::Superseded, AnswerChannel::Replaced);

/// A confirmation that is resolved as superseded, and is being taken from the store.
#[derive(Debug)]
pub(super) struct SupersededConfirmation {
    confirmation: OpenConfirmation,
    /// Resolves to whether the store still had it. If not, the person answered first.
    taken: PendingWrite<TakeResult>,
}

/// Takes superseded confirmations from the store.
pub(super) fn take(
    info: &ConversationInfo,
    superseded: Vec<OpenConfirmation>,
    scope: &CallScope,
    now: u64,
) -> Vec<SupersededConfirmation> {
    let take = |confirmation: OpenConfirmation| {
        let record = ConfirmationRecord::of(info, HOW.0, HOW.1).value();
        let record = TakeRecord::Decided(record);
        let taken = info.store().take_confirmation(&confirmation.id, now, scope, record);
        SupersededConfirmation { confirmation, taken }
    };
    superseded.into_iter().map(take).collect()
}

/// Closes a superseded confirmation. Only the caller that took it from the store decides about the
/// calls that waited for it.
pub(super) async fn close_superseded(core: &ConversationCore, superseded: SupersededConfirmation) {
    let SupersededConfirmation { confirmation, taken } = superseded;
    match taken.await {
        Ok(TakeResult::Pending(_) | TakeResult::Expired(_)) => {}
        Ok(TakeResult::Unknown) => return,
        Err(_) => return core.lock().confirmations.not_superseded(confirmation),
    }
    let (info, recorded) = (&core.info, record(core, &confirmation));
    let (token_id, (how, channel)) = (confirmation.id, HOW);
    info.publish(|| ConversationEvent::ConfirmationClosed { token_id, how, channel });
    for (call, answered) in recorded {
        let answer = answered.wait().await;
        info.publish_answered(call.entry.as_deref(), Outcome::Superseded, &answer);
    }
}

/// The waiting calls were answered with "wait", so none of them may run later: each is denied.
fn record(
    core: &ConversationCore,
    confirmation: &OpenConfirmation,
) -> Vec<(CallIdentity, AnsweredCall)> {
    let info = &core.info;
    let (mut locked, now) = (core.lock(), info.now());
    let mut denied = Vec::new();
    for (n, waiting) in confirmation.waiting.iter().enumerate() {
        let (id, origin) = (&confirmation.id, CallOrigin::Approved);
        let Some(candidate) = candidate(&info.toolset, waiting.clone(), id, origin, n) else {
            continue;
        };
        let failure = Failure::new(ErrorType::Denied, SUPERSEDED);
        let answer = Arc::new(failed(failure, info.stamp(&candidate.call)));
        let (args, trail) = (Arc::new(candidate.shown_args().clone()), Trail::default());
        let start = info.call_start(&candidate.call, args, &trail, &locked.policy, now);
        let recorded = info.store().refuse(start, Outcome::Superseded, answer.clone());
        locked.confirmations.stop_waiting(&candidate.call.key);
        denied.push((candidate.call, AnsweredCall { answer, recorded, if_not_kept: None }));
    }
    save(core, &mut locked);
    denied
}
