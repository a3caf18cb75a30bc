//! Lists confirmations of all conversations, open and decided, for the people who may see them.

use aileron_contract::redact::redacted;
use std::sync::Arc;

use aileron_contract::{CallId, ConversationId, ToolResponse, UserId};
use aileron_store::{
    CallStatus, ConfirmationFilter, DecidedConfirmation, PendingConfirmation, StoreError,
};
use serde::Deserialize;
use serde_json::Value;

use super::record::ConfirmationRecord;
use super::stored::StoredConfirmation;
use crate::conversation_info::shown;
use crate::event::{AnswerChannel, ConfirmationOutcome};
use crate::services::Services;

/// Hides a whole value, because the fields that the tool hides are unknown without its registry.
const ALL: &str = "";

/// A confirmation in a list. Fields that its tool hides are removed.
#[derive(Debug, Clone, PartialEq)]
pub struct ListedConfirmation {
    pub id: String,
    /// The signed token. Only the person of the conversation may be given it.
    pub token: String,
    pub conversation: ConversationId,
    pub user: Option<UserId>,
    /// The id that the model gave its call.
    pub call_id: CallId,
    pub tool_id: String,
    pub registry_version: Option<String>,
    pub turn: u64,
    pub args: Value,
    pub preview: String,
    /// Whether the tool hides fields, which the preview may quote.
    pub hides_fields: bool,
    pub asked_ms: u64,
    pub expires: u64,
    pub status: ConfirmationStatus,
    /// The end of the call, if it was approved and is known.
    pub end: Option<ApprovedEnd>,
}

/// The end of an approved call.
#[derive(Debug, Clone, PartialEq)]
pub enum ApprovedEnd {
    Answered(Arc<ToolResponse>),
    /// It was begun by a process that died: whether it took effect is unknown.
    Unknown,
}

/// Whether a confirmation was decided.
#[derive(Debug, Clone, PartialEq)]
pub enum ConfirmationStatus {
    Open,
    Decided {
        how: ConfirmationOutcome,
        channel: AnswerChannel,
        /// The person who decided; `None` if they did not sign in, or nobody decided.
        by: Option<UserId>,
        at: u64,
    },
}

/// The confirmations that can be answered now, the one that expires first at the beginning.
pub(crate) async fn open_confirmations(
    services: &Services,
    filter: &ConfirmationFilter,
    limit: usize,
) -> Result<Vec<ListedConfirmation>, StoreError> {
    let open = services.store.open_confirmations(filter, services.now(), limit).await?;
    let listed = |pending| listed(services, pending, ConfirmationStatus::Open);
    Ok(open.into_iter().filter_map(listed).collect())
}

/// The confirmations that were decided before a time, the latest first.
pub(crate) async fn decided_confirmations(
    services: &Services,
    filter: &ConfirmationFilter,
    before: u64,
    limit: usize,
) -> Result<Vec<ListedConfirmation>, StoreError> {
    let decided = services.store.decided_confirmations(filter, before, limit).await?;
    let listed = |decided: DecidedConfirmation| {
        let status = status(&decided);
        listed(services, decided.confirmation, status)
    };
    Ok(decided.into_iter().filter_map(listed).collect())
}

/// A confirmation that is taken after its time has expired, whatever the answer. One without a record ended with
/// its conversation.
fn status(decided: &DecidedConfirmation) -> ConfirmationStatus {
    let record =
        decided.decision.as_deref().and_then(|it| ConfirmationRecord::deserialize(it).ok());
    let (how, channel, by) = match record {
        _ if decided.time >= decided.confirmation.expires => {
            (ConfirmationOutcome::Expired, AnswerChannel::Timeout, None)
        }
        Some(record) => (record.how, record.channel, record.by),
        None => (ConfirmationOutcome::Superseded, AnswerChannel::End, None),
    };
    ConfirmationStatus::Decided { how, channel, by, at: decided.time }
}

/// `None` for a row that cannot be read.
fn listed(
    services: &Services,
    pending: PendingConfirmation,
    status: ConfirmationStatus,
) -> Option<ListedConfirmation> {
    let stored = StoredConfirmation::deserialize(&*pending.body).ok()?;
    let end = end(services, &pending.conversation, &stored.asked.key, &status);
    let call = stored.asked.call;
    let hidden = hidden(services, stored.registry_version.as_deref(), &call.tool_id);
    let masks = &services.platform.masks;
    let args = masks.value(redacted(&call.args.into_value(), &hidden).into_owned());
    Some(ListedConfirmation {
        id: pending.token,
        token: stored.token,
        conversation: pending.conversation,
        user: pending.user,
        call_id: call.call_id,
        tool_id: call.tool_id,
        registry_version: stored.registry_version,
        turn: stored.turn,
        args,
        preview: masks.text(&stored.preview).into_owned(),
        hides_fields: !hidden.is_empty(),
        asked_ms: stored.asked_ms,
        expires: pending.expires,
        status,
        end: end.map(|end| match end {
            ApprovedEnd::Answered(answer) => {
                ApprovedEnd::Answered(Arc::new(shown(&answer, &hidden)))
            }
            ApprovedEnd::Unknown => ApprovedEnd::Unknown,
        }),
    })
}

/// The end of an approved call, from the ledger.
fn end(
    services: &Services,
    conversation: &ConversationId,
    key: &str,
    status: &ConfirmationStatus,
) -> Option<ApprovedEnd> {
    let ConfirmationStatus::Decided { how: ConfirmationOutcome::Approved, .. } = status else {
        return None;
    };
    match services.store.lookup(conversation, key) {
        Ok(Some(CallStatus::Finished(answer))) => Some(ApprovedEnd::Answered(answer)),
        Ok(Some(CallStatus::Abandoned { .. })) => Some(ApprovedEnd::Unknown),
        Ok(Some(CallStatus::Running(_) | CallStatus::RunningElsewhere) | None) | Err(_) => None,
    }
}

/// The JSON Pointers that the tool hides.
fn hidden(services: &Services, registry: Option<&str>, tool: &str) -> Vec<String> {
    let toolset = registry.and_then(|version| services.toolsets.loaded(version).ok());
    match toolset {
        Some(toolset) => {
            toolset.entry(tool).map(|entry| entry.spec().redact.clone()).unwrap_or_default()
        }
        None => vec![ALL.to_owned()],
    }
}
