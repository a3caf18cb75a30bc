//! The history of a conversation: read from the store, and appended to, one turn at a time.
//!
//! An entry is a message with its turn, or a note that the messages from some entry on were retracted. The
//! log is append-only; `compact` selects the part that a model is given, anew for each request.

mod back;
mod compact;

use std::fmt;
use std::sync::Arc;

use aileron_contract::text::{ChatMessage, ReplyPart, ToolResultMessage};
use aileron_contract::{CallId, ConversationId, ToolCall};
use aileron_orchestrator::told_tasks;
use aileron_store::{AppendResult, PendingWrite, Store, StoreError};
use serde::{Deserialize, Serialize};
use serde_json::Value;

pub(crate) use self::compact::compact;

/// Maximum number of entries that are read. Older ones are not given to any model.
const MAX_ENTRIES: usize = 1000;

/// One message of a conversation, with its turn.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LoggedMessage {
    pub turn: u64,
    pub message: ChatMessage,
    /// The front end's id, if it is a message of the person.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// Whether it is a transcript of speech, of the person or the model.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub spoken: bool,
}

impl LoggedMessage {
    pub fn new(turn: u64, message: ChatMessage) -> Self {
        Self { turn, message, id: None, spoken: false }
    }

    pub(crate) fn spoken(turn: u64, message: ChatMessage) -> Self {
        Self { spoken: true, ..Self::new(turn, message) }
    }
}

/// One entry of the log.
#[derive(Debug, Clone, PartialEq)]
pub enum TranscriptEntry {
    Said(Box<LoggedMessage>),
    /// The person retracted the messages from the entry of this number on.
    Retracted {
        since: u64,
    },
}

const RETRACTED: &str = "retractedSince";

impl TranscriptEntry {
    /// Reads the body of an entry.
    pub fn read(body: &Value) -> Result<Self, serde_json::Error> {
        match body.get(RETRACTED).and_then(Value::as_u64) {
            Some(since) => Ok(Self::Retracted { since }),
            None => LoggedMessage::deserialize(body).map(|said| Self::Said(Box::new(said))),
        }
    }
}

/// Why the history cannot be read or appended to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HistoryError {
    Store(StoreError),
    /// Another process appended to it meanwhile.
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

/// The history of one conversation, during one turn.
#[derive(Debug)]
pub(crate) struct TurnHistory {
    store: Arc<dyn Store>,
    conversation: ConversationId,
    said: Vec<LoggedMessage>,
    /// The entry number of each message.
    numbers: Vec<u64>,
    /// The number of the last entry, pending ones included.
    last: u64,
    /// Appends that are not yet durable.
    adding: Vec<(u64, PendingWrite<AppendResult>)>,
    /// The tasks whose results are among the appended messages.
    told: Vec<String>,
}

impl TurnHistory {
    pub(crate) async fn load(
        store: Arc<dyn Store>,
        conversation: &ConversationId,
    ) -> Result<Self, HistoryError> {
        let entries = store.messages(conversation, u64::MAX, MAX_ENTRIES).await?;
        let last = entries.last().map_or(0, |entry| entry.seq);
        let cut = entries.first().is_some_and(|entry| entry.seq > 1);
        let conversation = conversation.clone();
        let (said, numbers, adding) = (Vec::new(), Vec::new(), Vec::new());
        let told = Vec::new();
        let mut history = Self { store, conversation, said, numbers, last, adding, told };
        for entry in &entries {
            let read = TranscriptEntry::read(&entry.body).map_err(|error| {
                HistoryError::Unreadable { seq: entry.seq, why: error.to_string() }
            })?;
            match read {
                TranscriptEntry::Said(said) => history.push(entry.seq, *said),
                TranscriptEntry::Retracted { since } => history.leave_out(since),
            }
        }
        if let Some(first) = history.said.first().map(|said| said.turn).filter(|_| cut) {
            // The oldest turn was read only in part, so calls of its results may be missing.
            history.retain(|_, said| said.turn != first);
        }
        Ok(history)
    }

    fn push(&mut self, number: u64, said: LoggedMessage) {
        self.numbers.push(number);
        self.said.push(said);
    }

    fn retain(&mut self, stays: impl Fn(u64, &LoggedMessage) -> bool) {
        let all = std::mem::take(&mut self.numbers).into_iter().zip(std::mem::take(&mut self.said));
        (self.numbers, self.said) = all.filter(|(number, said)| stays(*number, said)).unzip();
    }

    pub(crate) fn said(&self) -> &[LoggedMessage] {
        &self.said
    }

    /// The number of the last entry, 0 if there is none.
    pub(crate) fn last(&self) -> u64 {
        self.last
    }

    /// Appends a message. The write is queued when this returns, and durable after [`Self::settle`].
    pub(crate) fn add(&mut self, said: LoggedMessage, now: u64) {
        let body = serde_json::to_value(&said).unwrap_or(Value::Null);
        let number = self.append(body, now);
        self.told.extend(told_tasks(said.message.results()));
        self.push(number, said);
    }

    fn append(&mut self, body: Value, now: u64) -> u64 {
        let bodies = vec![Arc::new(body)];
        let added = self.store.append_messages(&self.conversation, self.last, bodies, now);
        self.last += 1;
        self.adding.push((self.last, added));
        self.last
    }

    /// Waits until all appended messages are durable. Only then do the results of tasks among them count
    /// as told: if the process dies before, they are told again.
    pub(crate) async fn settle(&mut self) -> Result<(), HistoryError> {
        for (expected, added) in std::mem::take(&mut self.adding) {
            match added.await? {
                AppendResult::At(at) if at == expected => {}
                AppendResult::At(_) | AppendResult::Conflict { .. } => {
                    return Err(HistoryError::Conflict);
                }
            }
        }
        let told = std::mem::take(&mut self.told);
        if !told.is_empty() {
            // A result that is not marked is found in the log by the next turn.
            let _ = self.store.mark_told(&told).await;
        }
        Ok(())
    }

    /// Whether the result of a task is in the history.
    pub(crate) fn has_result_of(&self, task: &str) -> bool {
        let results = self.said.iter().flat_map(|said| said.message.results());
        told_tasks(results).iter().any(|told| told == task)
    }

    /// Marks the result of a task as told, because the history has it.
    pub(crate) fn was_told(&mut self, task: String) {
        self.told.push(task);
    }

    /// The tokens of the confirmations whose result the model has not received, the oldest first.
    pub(crate) fn open_questions(&self) -> Vec<String> {
        let mut open = Vec::<(&CallId, &str)>::new();
        for said in &self.said {
            match &said.message {
                ChatMessage::Results { answers } => {
                    open.extend(answers.iter().filter_map(question));
                }
                ChatMessage::Late { answer } => {
                    open.retain(|(call_id, _)| **call_id != answer.call_id);
                }
                ChatMessage::Person { .. } | ChatMessage::Model { .. } => {}
            }
        }
        open.into_iter().map(|(_, token)| token.to_owned()).collect()
    }

    /// The calls of the last message without results: a process died before it wrote them.
    pub(crate) fn unanswered(&self) -> Option<(u64, Vec<ToolCall>)> {
        let last = self.said.last()?;
        let ChatMessage::Model { parts, .. } = &last.message else { return None };
        let calls: Vec<_> = parts.iter().filter_map(call).cloned().collect();
        (!calls.is_empty()).then_some((last.turn, calls))
    }
}

/// The call of a confirmation, and the token.
fn question(answer: &ToolResultMessage) -> Option<(&CallId, &str)> {
    let request = answer.response.failure()?.confirmation_request.as_ref()?;
    Some((&answer.call_id, &request.token))
}

fn call(part: &ReplyPart) -> Option<&ToolCall> {
    match part {
        ReplyPart::Call { call } => Some(call),
        ReplyPart::Text { .. } | ReplyPart::Reasoning { .. } => None,
    }
}

/// The messages of a conversation, the oldest first, as far back as models are given them.
pub async fn said_so_far(
    store: Arc<dyn Store>,
    conversation: &ConversationId,
) -> Result<Vec<LoggedMessage>, HistoryError> {
    TurnHistory::load(store, conversation).await.map(|history| history.said)
}

#[cfg(test)]
#[path = "history_tests.rs"]
mod tests;
