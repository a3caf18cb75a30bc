//! The row that the store keeps of an open confirmation.

use std::sync::Arc;

use aileron_store::PendingConfirmation;
use serde_json::json;

use super::state::OpenConfirmation;
use super::stored::StoredConfirmation;
use crate::conversation_info::ConversationInfo;

/// A confirmation as the store keeps it.
pub(super) fn pending(
    info: &ConversationInfo,
    confirmation: &OpenConfirmation,
) -> PendingConfirmation {
    let OpenConfirmation { id, request, subject, turn, asked_ms, waiting, preview, .. } =
        confirmation;
    let stored = waiting.split_first().map(|(asked, siblings)| StoredConfirmation {
        asked: asked.clone(),
        token: request.token.clone(),
        preview: preview.clone(),
        subject: subject.clone(),
        turn: *turn,
        asked_ms: *asked_ms,
        registry_version: Some(info.toolset.registry().version().to_owned()),
        siblings: siblings.to_vec(),
    });
    PendingConfirmation {
        token: id.clone(),
        conversation: info.id.clone(),
        user: info.person.id.clone(),
        expires: request.expires,
        body: Arc::new(json!(stored)),
    }
}
