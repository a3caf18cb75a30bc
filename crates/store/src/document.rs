//! Documents that the store keeps for its callers: confirmations that wait for the person, and the
//! state of conversations. The store does not interpret their content.

use std::sync::Arc;

use aileron_contract::{ConversationId, UserId};
use serde_json::Value;

/// A confirmation that waits for the person.
#[derive(Debug, Clone, PartialEq)]
pub struct PendingConfirmation {
    /// Names the confirmation; never the secret of a token.
    pub token: String,
    pub conversation: ConversationId,
    pub user: Option<UserId>,
    /// Milliseconds since the Unix epoch; from then on it counts as expired.
    pub expires: u64,
    /// The call to be approved, in the caller's format.
    pub body: Arc<Value>,
}

/// The result of taking a confirmation. It is removed in every case.
#[derive(Debug, Clone, PartialEq)]
pub enum TakeResult {
    /// It was pending; no other caller gets it.
    Pending(PendingConfirmation),
    /// It was pending, but had expired.
    Expired(PendingConfirmation),
    /// There is none, or another caller took it.
    Unknown,
}

/// The state of a conversation as it was saved.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredConversation {
    /// 1 when first saved, one more each time.
    pub version: u64,
    /// When it was saved, by the caller's clock.
    pub time: u64,
    pub body: Arc<Value>,
}

/// The answer to saving a conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SaveResult {
    /// Saved; this is its version.
    At(u64),
    /// Another writer saved it first: its version is `found` (0: none). Nothing was written.
    Conflict { found: u64 },
}

/// A line in the list of conversations.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Summary {
    pub conversation: ConversationId,
    pub version: u64,
    pub time: u64,
}

/// The result of one round of forgetting conversations.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ForgetResult {
    pub conversations: usize,
    /// Whether the round reached its limit, so that another round may remove more.
    pub more: bool,
}

/// The result of one round of expiry.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ExpiryResult {
    pub calls: usize,
    pub confirmations: usize,
    pub blocks: usize,
    /// Whether the round reached its limit, so that another round may remove more.
    pub more: bool,
}
