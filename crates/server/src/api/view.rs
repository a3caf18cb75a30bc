//! What is said of a conversation, of answers and of questions.

use std::sync::Arc;

use aileron_contract::{CallId, ConversationId, Mode, ToolResponse};
use aileron_orchestrator::state::{EndReason, Lifecycle, VoiceState};
use aileron_orchestrator::{ConversationSnapshot, LateAnswer, Resolution};
use schemars::JsonSchema;
use serde::{Serialize, Serializer};

use super::schema;

/// A conversation.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct ConversationView {
    #[schemars(with = "String")]
    pub(super) id: ConversationId,
    /// How it is held at the moment.
    #[schemars(schema_with = "schema::mode")]
    pub(super) mode: Mode,
    /// The registry it began with, and keeps.
    pub(super) registry_version: String,
    /// The number of its latest turn; 0 before the first.
    pub(super) turn: u64,
    pub(super) state: ConversationStatus,
    /// Whether there is a voice session.
    pub(super) voice: VoiceView,
}

/// Whether a conversation goes on.
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
    /// A tool asked for one: open the conversation in voice.
    Requested,
    Active,
    /// It is about to be over.
    Ending,
}

impl From<ConversationSnapshot> for ConversationView {
    fn from(snapshot: ConversationSnapshot) -> Self {
        let ConversationSnapshot { id, turn, registry_version, state } = snapshot;
        Self {
            id,
            mode: state.mode(),
            registry_version,
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

/// Writes an envelope that others hold too.
fn shared<S: Serializer>(response: &Arc<ToolResponse>, serializer: S) -> Result<S::Ok, S::Error> {
    response.as_ref().serialize(serializer)
}

impl From<LateAnswer> for CallAnswer {
    fn from(late: LateAnswer) -> Self {
        Self { call_id: late.call_id, response: late.answer }
    }
}

/// What became of a question.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(tag = "is", rename_all = "camelCase")]
pub(super) enum ConfirmationDecision {
    /// The call was made, and then those that had waited for it. The answers are for the model.
    Approved { answers: Vec<CallAnswer> },
    /// `DENIED`, for the call and for those that had waited for it.
    Declined { answers: Vec<CallAnswer> },
    /// The answer did not come in time: `DENIED`.
    Expired { answers: Vec<CallAnswer> },
    /// The person changed their mind: `DENIED`.
    Superseded { answers: Vec<CallAnswer> },
    /// The person was not understood and is to be asked once more.
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
            // Its answers say that they are replayed.
            Resolution::Known(earlier) => Self::from(*earlier),
            Resolution::AskAgain { preview } => Self::AskAgain { preview },
        }
    }
}
