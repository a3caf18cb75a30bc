//! What was said in a conversation: read from the store, added to as it goes on, one turn at a time.
//!
//! An entry is a message and the turn it belongs to. The log is only added to; what a model is shown
//! of it is worked out anew for each request (`compact`).

mod compact;

use std::fmt;
use std::sync::Arc;

use aileron_contract::text::{Message, Part};
use aileron_contract::{ConversationId, ToolCall};
use aileron_store::{Appended, Commit, Store, StoreError};
use serde::{Deserialize, Serialize};
use serde_json::Value;

pub(crate) use self::compact::compact;

/// The most entries that are read. What is older is not shown to any model.
const MOST: usize = 1000;

/// One message of a conversation, and its turn.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Said {
    pub turn: u64,
    pub message: Message,
}

/// Why what was said cannot be read or added to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HistoryError {
    Store(StoreError),
    /// Another process added to it meanwhile.
    Conflict,
    Unreadable {
        seq: u64,
        why: String,
    },
}

impl fmt::Display for HistoryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Store(error) => error.fmt(f),
            Self::Conflict => f.write_str(
                "another process answers this conversation at the same time; send the message again",
            ),
            Self::Unreadable { seq, why } => write!(
                f,
                "message {seq} of the conversation cannot be read: {why}; begin another conversation"
            ),
        }
    }
}

impl std::error::Error for HistoryError {}

impl From<StoreError> for HistoryError {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

/// The history of one conversation, while one turn of it is under way.
#[derive(Debug)]
pub(crate) struct History {
    store: Arc<dyn Store>,
    conversation: ConversationId,
    said: Vec<Said>,
    /// The number of the last entry, those on their way included.
    last: u64,
    /// Additions that are not known to be durable.
    adding: Vec<(u64, Commit<Appended>)>,
}

impl History {
    pub(crate) async fn load(
        store: Arc<dyn Store>,
        conversation: &ConversationId,
    ) -> Result<Self, HistoryError> {
        let entries = store.messages(conversation, u64::MAX, MOST).await?;
        let last = entries.last().map_or(0, |entry| entry.seq);
        let cut = entries.first().is_some_and(|entry| entry.seq > 1);
        let read = |entry: &aileron_store::LogEntry| {
            Said::deserialize(&*entry.body).map_err(|error| HistoryError::Unreadable {
                seq: entry.seq,
                why: error.to_string(),
            })
        };
        let mut said = entries.iter().map(read).collect::<Result<Vec<_>, _>>()?;
        if let Some(first) = said.first().map(|said| said.turn).filter(|_| cut) {
            // Of the oldest turn only a part was read, which could have lost the calls of its results.
            said.retain(|said| said.turn != first);
        }
        let conversation = conversation.clone();
        Ok(Self { store, conversation, said, last, adding: Vec::new() })
    }

    pub(crate) fn said(&self) -> &[Said] {
        &self.said
    }

    /// The number of the last entry, 0 if there is none.
    pub(crate) fn last(&self) -> u64 {
        self.last
    }

    /// Adds a message. It is on its way when this returns, and durable after [`Self::settle`].
    pub(crate) fn add(&mut self, turn: u64, message: Message, now: u64) {
        let said = Said { turn, message };
        let body = serde_json::to_value(&said).unwrap_or(Value::Null);
        let added =
            self.store.append_messages(&self.conversation, self.last, vec![Arc::new(body)], now);
        self.last += 1;
        self.adding.push((self.last, added));
        self.said.push(said);
    }

    /// Waits until all that was added is durable.
    pub(crate) async fn settle(&mut self) -> Result<(), HistoryError> {
        for (expected, added) in std::mem::take(&mut self.adding) {
            match added.await? {
                Appended::At(at) if at == expected => {}
                Appended::At(_) | Appended::Conflict { .. } => return Err(HistoryError::Conflict),
            }
        }
        Ok(())
    }

    /// The calls of the last message that have no answers: a process died between the two.
    pub(crate) fn unanswered(&self) -> Option<(u64, Vec<ToolCall>)> {
        let last = self.said.last()?;
        let Message::Model { parts, .. } = &last.message else { return None };
        let calls: Vec<_> = parts.iter().filter_map(call).cloned().collect();
        (!calls.is_empty()).then_some((last.turn, calls))
    }
}

fn call(part: &Part) -> Option<&ToolCall> {
    match part {
        Part::Call { call } => Some(call),
        Part::Text { .. } | Part::Reasoning { .. } => None,
    }
}

/// What was said in a conversation, the oldest first, as far back as models are shown it.
pub async fn said_so_far(
    store: Arc<dyn Store>,
    conversation: &ConversationId,
) -> Result<Vec<Said>, HistoryError> {
    History::load(store, conversation).await.map(|history| history.said)
}

#[cfg(test)]
#[path = "history_tests.rs"]
mod tests;
