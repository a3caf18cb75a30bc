//! Views of conversations, results and confirmations.

use std::sync::Arc;

use aileron_contract::{CallId, ConversationId, Mode, ToolResponse, UserId};
use aileron_orchestrator::state::{EndReason, Lifecycle, VoiceState};
use aileron_orchestrator::{AssignedRegistry, ConversationSnapshot, LateAnswer, Resolution};
use schemars::JsonSchema;
use serde::{Serialize, Serializer};

use super::schema;

/// A conversation.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct ConversationView {
    #[schemars(with = "String")]
    pub(super) id: ConversationId,
    /// The person it belongs to; `null` where people do not sign in.
    #[schemars(with = "Option<String>")]
    pub(super) user: Option<UserId>,
    /// The current mode.
    #[schemars(schema_with = "schema::mode")]
    pub(super) mode: Mode,
    /// The version of the registry that the conversation is pinned to.
    pub(super) registry_version: String,
    /// The name of that registry, and why it was chosen; absent where there was only one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) registry: Option<AssignedView>,
    /// The number of its latest turn; 0 before the first.
    pub(super) turn: u64,
    pub(super) state: ConversationStatus,
    /// The state of the voice session.
    pub(super) voice: VoiceView,
}

/// The name of a registry, and why a conversation has it.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct AssignedView {
    pub(super) name: String,
    pub(super) reason: String,
}

impl From<AssignedRegistry> for AssignedView {
    fn from(AssignedRegistry { name, reason }: AssignedRegistry) -> Self {
        Self { name, reason }
    }
}

/// Whether a conversation is open.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(tag = "is", rename_all = "camelCase")]
pub(super) enum ConversationStatus {
    Active,
    Ended {
        #[schemars(schema_with = "schema::end_reason")]
        reason: EndReason,
    },
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) enum VoiceView {
    Off,
    /// A tool requested a voice session: open the conversation in voice.
    Requested,
    Active,
    /// The session is about to end.
    Ending,
}

impl From<ConversationSnapshot> for ConversationView {
    fn from(snapshot: ConversationSnapshot) -> Self {
        let ConversationSnapshot { id, user, turn, registry_version, assigned, state } = snapshot;
        Self {
            id,
            user,
            mode: state.mode(),
            registry_version,
            registry: assigned.map(AssignedView::from),
            turn,
            state: match state.lifecycle() {
                Lifecycle::Active => ConversationStatus::Active,
                Lifecycle::Ended { reason } => ConversationStatus::Ended { reason },
            },
            voice: match state.voice() {
                VoiceState::Off => VoiceView::Off,
                VoiceState::Requested => VoiceView::Requested,
                VoiceState::Active => VoiceView::Active,
                VoiceState::Ending { .. } => VoiceView::Ending,
            },
        }
    }
}

/// The answer to a call.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct CallAnswer {
    #[schemars(with = "String")]
    pub(super) call_id: CallId,
    #[serde(serialize_with = "shared")]
    #[schemars(schema_with = "schema::envelope")]
    pub(super) response: Arc<ToolResponse>,
}

/// Serialises a shared envelope.
fn shared<S: Serializer>(response: &Arc<ToolResponse>, serializer: S) -> Result<S::Ok, S::Error> {
    response.as_ref().serialize(serializer)
}

impl From<LateAnswer> for CallAnswer {
    fn from(late: LateAnswer) -> Self {
        Self { call_id: late.call_id, response: late.answer }
    }
}

/// How a confirmation was resolved.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(tag = "is", rename_all = "camelCase")]
pub(super) enum ConfirmationDecision {
    /// The call ran, and then the calls that waited for it. The answers are for the model.
    Approved { answers: Vec<CallAnswer> },
    /// `DENIED`, for the call and for the calls that waited for it.
    Declined { answers: Vec<CallAnswer> },
    /// The confirmation expired: `DENIED`.
    Expired { answers: Vec<CallAnswer> },
    /// The person changed their mind: `DENIED`.
    Superseded { answers: Vec<CallAnswer> },
    /// The answer was not understood; the confirmation is to be requested once more.
    AskAgain { preview: String },
}

impl From<Resolution> for ConfirmationDecision {
    fn from(resolution: Resolution) -> Self {
        let answers = |late: Vec<LateAnswer>| late.into_iter().map(CallAnswer::from).collect();
        match resolution {
            Resolution::Approved(late) => Self::Approved { answers: answers(late) },
            Resolution::Declined(late) => Self::Declined { answers: answers(late) },
            Resolution::Expired(late) => Self::Expired { answers: answers(late) },
            Resolution::Superseded(late) => Self::Superseded { answers: answers(late) },
            // The earlier answers are marked as replayed.
            Resolution::Known(earlier) => Self::from(*earlier),
            Resolution::AskAgain { preview } => Self::AskAgain { preview },
        }
    }
}
