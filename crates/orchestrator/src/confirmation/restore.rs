//! Restores the open confirmations of a conversation that is loaded.

use std::sync::Arc;

use aileron_capability::envelope::failed;
use aileron_contract::ErrorType;
use aileron_contract::envelope::{ConfirmationRequest, Failure};
use aileron_store::PendingConfirmation;
use serde::Deserialize;

use super::request::{HELD, waiting_failure};
use super::state::{Confirmations, OpenConfirmation, SpokenAnswer};
use super::stored::{StoredConfirmation, WaitingCall};
use crate::candidate::CandidateCall;
use crate::conversation_info::ConversationInfo;
use crate::toolset::Toolset;

/// A time before all confirmations expire, to list expired ones too: a late answer to one gets that
/// reason.
pub(crate) const INCLUDE_EXPIRED: u64 = 0;

/// Opens a stored confirmation again. Its calls wait as before, and get the same answers when they
/// are delivered again.
pub(crate) fn restore(
    info: &ConversationInfo,
    pending: &PendingConfirmation,
    confirmations: &mut Confirmations,
) {
    let Some(confirmation) = open(pending, &info.toolset) else { return };
    for (n, waiting) in confirmation.waiting.iter().enumerate() {
        let failure = match n {
            0 => waiting_failure(confirmation.request.clone()),
            _ => Failure::new(ErrorType::ConfirmationRequired, HELD),
        };
        keep_answer(info, waiting, failure, confirmations);
    }
    confirmations.push(confirmation);
}

fn keep_answer(
    info: &ConversationInfo,
    waiting: &WaitingCall,
    failure: Failure,
    confirmations: &mut Confirmations,
) {
    let candidate =
        CandidateCall::new(waiting.call.clone(), &info.toolset).given(waiting.given.clone());
    let answer = Arc::new(failed(failure, info.stamp(&candidate.call)));
    confirmations.keep_answer(&waiting.key.as_str().into(), candidate.content(), &answer);
}

/// A confirmation from the store. After a restart only a click answers it, because earlier
/// utterances are not known.
fn open(pending: &PendingConfirmation, toolset: &Toolset) -> Option<OpenConfirmation> {
    let stored = StoredConfirmation::deserialize(&*pending.body).ok()?;
    let candidate = CandidateCall::new(stored.asked.call.clone(), toolset);
    let args = candidate.args.as_ref().ok()?.clone();
    Some(OpenConfirmation {
        id: pending.token.clone(),
        preview: stored.preview.clone(),
        request: ConfirmationRequest {
            token: stored.token,
            expires: pending.expires,
            tool: candidate.spec()?.tool_id.clone(),
            args,
            preview: stored.preview,
        },
        digest: candidate.digest,
        subject: stored.subject,
        turn: stored.turn,
        asked_ms: stored.asked_ms,
        spoken_answer: SpokenAnswer::ClickOnly,
        waiting: std::iter::once(stored.asked).chain(stored.siblings).collect(),
    })
}
