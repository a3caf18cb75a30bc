//! The person's answer to a confirmation: by a click, over HTTP or by speech, and never by the
//! model.

use std::sync::Arc;

use aileron_contract::{ContentHash, ToolCall, UserId};
use aileron_store::{PendingConfirmation, StoreError};

use super::approve::{Deciding, approve};
use super::close::{Closing, decline, earlier_resolution, stored};
use super::error::ConfirmError;
use super::resolution::Resolution;
use super::restore::INCLUDE_EXPIRED;
use super::spoken::{SpokenIntent, TurnStartEffects};
use crate::candidate::CandidateCall;
use crate::conversation_core::ConversationCore;
use crate::event::{AnswerChannel, ConfirmationOutcome, ConversationEvent};
use crate::token;

/// An answer of the person.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PersonAnswer {
    pub(crate) approve: bool,
    pub(crate) channel: AnswerChannel,
}

/// Handles a token that came through the person's channel. The error for a forged token reveals
/// nothing about the confirmation.
pub(crate) async fn confirm(
    core: &Arc<ConversationCore>,
    token: &str,
    answer: PersonAnswer,
    by: Option<&UserId>,
) -> Result<Resolution, ConfirmError> {
    if by != core.info.person.id.as_ref() {
        return Err(ConfirmError::NotOwner);
    }
    let id = token::id_of(token).ok_or(ConfirmError::Forged)?;
    self::answer(core, id, Some(token), answer).await
}

/// Resolves a confirmation. If the answer came with a token, it must be the one signed for it.
async fn answer(
    core: &Arc<ConversationCore>,
    id: &str,
    token: Option<&str>,
    answer: PersonAnswer,
) -> Result<Resolution, ConfirmError> {
    let deciding = core.deciding.clone().lock_owned().await;
    let resolved = core.lock().confirmations.resolution(id).cloned();
    match (resolved, pending(core, id).await?) {
        (Some(resolved), _) if token.is_some_and(|token| resolved.token != token) => {
            Err(ConfirmError::Forged)
        }
        (Some(resolved), _) => {
            drop(deciding);
            earlier_resolution(core, resolved, answer.approve).await
        }
        (None, Some(pending)) => {
            token.map_or(Ok(()), |token| verify(core, token, &pending))?;
            answer_pending(core, &pending, answer, deciding).await
        }
        (None, None) => Err(ConfirmError::Unknown),
    }
}

/// A confirmation that is still in the store.
async fn pending(
    core: &ConversationCore,
    id: &str,
) -> Result<Option<PendingConfirmation>, ConfirmError> {
    let pending = core.info.store().confirmations(&core.info.id, INCLUDE_EXPIRED).await?;
    Ok(pending.into_iter().find(|pending| pending.token == id))
}

async fn answer_pending(
    core: &Arc<ConversationCore>,
    pending: &PendingConfirmation,
    PersonAnswer { approve: is_yes, channel }: PersonAnswer,
    deciding: Deciding,
) -> Result<Resolution, ConfirmError> {
    match is_yes && pending.expires > core.info.now() {
        true => approve(core, pending, channel, deciding).await,
        false => decline(core, pending, (ConfirmationOutcome::Declined, channel)).await,
    }
}

/// A token is valid only for the call it was signed for.
fn verify(
    core: &ConversationCore,
    token: &str,
    pending: &PendingConfirmation,
) -> Result<(), ConfirmError> {
    let info = &core.info;
    let candidate = CandidateCall::new(stored(pending)?.asked.call, &info.toolset);
    let (Some(entry), Ok(args)) = (candidate.entry(), &candidate.args) else {
        return Err(ConfirmError::Forged);
    };
    let hash = ContentHash::of_value(args);
    let binding = info.binding(&pending.token, entry, &hash, pending.expires);
    info.services.signer.verify(token, &binding).map_err(|_| ConfirmError::Forged)
}

/// Applies the effects of a new turn to the open confirmations.
pub(crate) async fn resolve_turn_start(
    core: Arc<ConversationCore>,
    effects: TurnStartEffects,
) -> Vec<Resolution> {
    let mut resolutions = Vec::new();
    for id in effects.expired {
        // If it could not be taken, it is found again when the next turn begins.
        let closing = (ConfirmationOutcome::Expired, AnswerChannel::Timeout);
        resolutions.extend(close_by_id(&core, &id, closing).await.ok());
    }
    match effects.spoken {
        None => {}
        Some(SpokenIntent::Unclear { preview }) => resolutions.push(ask_again(&core, preview)),
        Some(SpokenIntent::Retracted { ids }) => {
            for id in ids {
                // If it could not be taken, it stays open, and a click answers it.
                let closing = (ConfirmationOutcome::Superseded, effects.channel);
                let closed = close_by_id(&core, &id, closing).await;
                resolutions.extend(closed.ok());
            }
        }
        Some(SpokenIntent::Answer { id, approve }) => {
            let said = PersonAnswer { approve, channel: effects.channel };
            match answer(&core, &id, None, said).await {
                Ok(resolution) => resolutions.push(resolution),
                Err(ConfirmError::Store(error)) => {
                    resolutions.extend(not_stored(&core, &id, &error));
                }
                // It was answered by a click meanwhile, or withdrawn, and its call was answered
                // then.
                Err(
                    ConfirmError::Forged
                    | ConfirmError::NotOwner
                    | ConfirmError::Unknown
                    | ConfirmError::Decided(_),
                ) => {
                    core.lock().confirmations.remove(&id);
                }
            }
        }
    }
    resolutions
}

/// Closes a confirmation that has expired or that the person retracted.
async fn close_by_id(
    core: &ConversationCore,
    id: &str,
    closing: Closing,
) -> Result<Resolution, ConfirmError> {
    let _deciding = core.deciding.clone().lock_owned().await;
    let pending = pending(core, id).await?.ok_or(ConfirmError::Unknown)?;
    decline(core, &pending, closing).await
}

fn ask_again(core: &ConversationCore, preview: String) -> Resolution {
    core.info.publish(|| ConversationEvent::ConfirmationRepeated { preview: preview.clone() });
    Resolution::AskAgain { preview }
}

/// Handles a spoken answer that could not be stored. The confirmation stays open for speech, and
/// the person is asked to repeat the answer.
fn not_stored(core: &ConversationCore, id: &str, error: &StoreError) -> Option<Resolution> {
    let (preview, asked) = {
        let locked = core.lock();
        let confirmation = locked.confirmations.find(id)?;
        let asked = confirmation.waiting.first().map(|waiting| waiting.call.clone());
        (confirmation.preview.clone(), asked)
    };
    if let Some(ToolCall { call_id, tool_id: tool, .. }) = asked {
        core.info.publish(|| ConversationEvent::Defect { call_id, tool, what: error.to_string() });
    }
    Some(ask_again(core, preview))
}
