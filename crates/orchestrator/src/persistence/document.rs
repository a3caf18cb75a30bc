//! The stored form of a conversation. The calls of a turn are in the audit log.

use std::collections::VecDeque;

use aileron_contract::UserId;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::assignment::AssignedRegistry;
use crate::confirmation::ResolvedConfirmation;
use crate::state::ConversationState;

#[derive(Debug)]
pub(super) struct Document {
    pub(super) turn: u64,
    /// When the turn began, in milliseconds since the Unix epoch.
    pub(super) turn_began: u64,
    pub(super) stable: StablePart,
}

/// The part that seldom changes. It is stored as text, so that a turn does not serialise it again.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct StablePart {
    pub(super) user: Option<UserId>,
    pub(super) registry_version: String,
    /// Why it has this registry; absent where there was only one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) assigned: Option<AssignedRegistry>,
    pub(super) state: ConversationState,
    pub(super) decided: VecDeque<ResolvedConfirmation>,
}

/// The members of the document.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct DocumentMembers {
    turn: u64,
    turn_began: u64,
    #[serde(rename = "lasting")]
    stable: String,
}

impl Document {
    pub(super) fn read(body: &Value) -> Result<Self, serde_json::Error> {
        let DocumentMembers { turn, turn_began, stable } = DocumentMembers::deserialize(body)?;
        Ok(Self { turn, turn_began, stable: serde_json::from_str(&stable)? })
    }

    pub(super) fn body(&self) -> Value {
        let stable = json!(self.stable).to_string();
        json!({ "turn": self.turn, "turnBegan": self.turn_began, "lasting": stable })
    }
}
