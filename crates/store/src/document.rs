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

/// A confirmation that was taken, kept for the list of decisions.
#[derive(Debug, Clone, PartialEq)]
pub struct DecidedConfirmation {
    pub confirmation: PendingConfirmation,
    /// When it was taken, by the caller's clock.
    pub time: u64,
    /// How it was decided, in the caller's format. `None` if the conversation ended before.
    pub decision: Option<Arc<Value>>,
}

/// Whether the record of a confirmation stays after it was taken.
#[derive(Debug, Clone, PartialEq)]
pub enum TakeRecord {
    /// It was never shown to the person, so no record stays.
    Withdrawn,
    /// It was decided, in the caller's format.
    Decided(Arc<Value>),
}

/// The confirmations to list. Every condition that is set must hold.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ConfirmationFilter {
    pub owner: OwnerFilter,
    pub conversation: Option<ConversationId>,
}

/// The people of whose entries a list consists.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum OwnerFilter {
    #[default]
    Everybody,
    /// Those of one person; `None` are the people who did not sign in.
    Of(Option<UserId>),
}

impl OwnerFilter {
    /// Whether an entry of this person is listed.
    pub fn includes(&self, user: Option<&UserId>) -> bool {
        match self {
            Self::Everybody => true,
            Self::Of(owner) => owner.as_ref() == user,
        }
    }
}

impl ConfirmationFilter {
    /// Whether a confirmation is listed.
    pub fn includes(&self, confirmation: &PendingConfirmation) -> bool {
        self.owner.includes(confirmation.user.as_ref())
            && self.conversation.as_ref().is_none_or(|id| *id == confirmation.conversation)
    }
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
    /// The person it belongs to.
    pub owner: Option<UserId>,
}

/// The position of a conversation in a list that begins with the one saved last.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct RecentCursor {
    pub time: u64,
    pub conversation: ConversationId,
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
    pub tasks: usize,
    pub blocks: usize,
    /// Whether the round reached its limit, so that another round may remove more.
    pub more: bool,
}
