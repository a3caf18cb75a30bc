//! The record of a closed confirmation, as the store keeps it for the list of decisions.

use std::sync::Arc;

use aileron_contract::UserId;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::conversation_info::ConversationInfo;
use crate::event::{AnswerChannel, ConfirmationOutcome};

/// How, by whom and through which channel a confirmation was closed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct ConfirmationRecord {
    pub(crate) how: ConfirmationOutcome,
    pub(crate) channel: AnswerChannel,
    /// The person who decided; `None` if they did not sign in, or nobody decided.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) by: Option<UserId>,
}

impl ConfirmationRecord {
    pub(super) fn of(
        info: &ConversationInfo,
        how: ConfirmationOutcome,
        channel: AnswerChannel,
    ) -> Self {
        let by = channel.is_of_person().then(|| info.person.id.clone()).flatten();
        Self { how, channel, by }
    }

    pub(super) fn value(&self) -> Arc<Value> {
        Arc::new(json!(self))
    }
}
