//! The small things the store keeps for others: confirmations that wait for the
//! person, and the state of conversations. What is in them is not its business.

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
    /// What is to be approved, in the words of the caller.
    pub body: Arc<Value>,
}

/// What taking a confirmation gave. It is gone in every case.
#[derive(Debug, Clone, PartialEq)]
pub enum TakeResult {
    /// It was waiting, and is the caller's alone.
    Pending(PendingConfirmation),
    /// It was waiting, but too long.
    Expired(PendingConfirmation),
    /// There is none, or someone else took it.
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
    /// Someone else saved it meanwhile: found this version (0: none). Nothing was written.
    Conflict { found: u64 },
}

/// A line in the list of conversations.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Summary {
    pub conversation: ConversationId,
    pub version: u64,
    pub time: u64,
}

/// What one round of forgetting conversations removed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ForgetResult {
    pub conversations: usize,
    /// Whether the round was full, so that another would find more.
    pub more: bool,
}

/// What one round of expiry removed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ExpiryResult {
    pub calls: usize,
    pub confirmations: usize,
    pub blocks: usize,
    /// Whether the round was full, so that another would find more.
    pub more: bool,
}
