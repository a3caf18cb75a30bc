//! A confirmation as the store keeps it, and the calls that wait for it.

use aileron_contract::{CallId, ContentHash, ToolCall};
use serde::{Deserialize, Serialize};

use super::subject::Subject;
use crate::candidate::CandidateCall;
use crate::event::ConfirmationOutcome;

/// The body of a pending confirmation in the store.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct StoredConfirmation {
    /// The call that the person is asked about.
    pub(crate) asked: WaitingCall,
    pub(crate) token: String,
    pub(crate) preview: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) subject: Option<Subject>,
    pub(crate) turn: u64,
    pub(crate) asked_ms: u64,
    /// The registry of the conversation; absent in rows of older versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) registry_version: Option<String>,
    /// The other writes of the batch, in order.
    pub(crate) siblings: Vec<WaitingCall>,
}

impl StoredConfirmation {
    /// All calls that wait, the one the person is asked about first.
    pub(crate) fn calls(&self) -> impl Iterator<Item = &WaitingCall> {
        std::iter::once(&self.asked).chain(&self.siblings)
    }
}

/// A waiting call, with its arguments validated and clamped.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct WaitingCall {
    pub(crate) call: ToolCall,
    pub(crate) key: String,
    /// The hash of the original arguments, if a mode's limits changed them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) given: Option<ContentHash>,
}

impl WaitingCall {
    pub(crate) fn of(candidate: &CandidateCall) -> Self {
        let given = candidate.call.given.clone();
        Self { call: candidate.as_call(), key: candidate.call.key.to_string(), given }
    }
}

/// A closed confirmation, kept for a second answer to it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct ResolvedConfirmation {
    /// The confirmation's id.
    pub(crate) id: String,
    /// Only this token gets the resolution as its answer.
    pub(crate) token: String,
    pub(crate) how: ConfirmationOutcome,
    /// The call it was about.
    pub(crate) call_id: CallId,
    pub(crate) tool_id: String,
    /// The idempotency key of the call.
    pub(crate) key: String,
}

impl ResolvedConfirmation {
    pub(crate) fn new(
        (id, token): (&str, &str),
        call: &WaitingCall,
        how: ConfirmationOutcome,
    ) -> Self {
        Self {
            id: id.to_owned(),
            token: token.to_owned(),
            how,
            call_id: call.call.call_id.clone(),
            tool_id: call.call.tool_id.clone(),
            key: call.key.clone(),
        }
    }
}
