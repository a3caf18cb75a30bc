//! Writes voice messages into the same log as text messages, so that a conversation has one history in both
//! modes.
//!
//! A call is logged together with its result. The transcript of the person may come after the model's reply
//! to it, but is logged before: a turn that began without a transcript is held until the transcript comes,
//! the next turn begins or the session ends. A turn that begins while the model speaks is logged after the
//! model's last transcript, even if that was interrupted.

mod writer;

use std::sync::Arc;

use aileron_capability::Clock;
use aileron_contract::text::{ChatMessage, ReplyPart, ToolResultMessage};
use aileron_contract::transport::CallResult;
use aileron_contract::{ToolCall, ToolResponse};
use aileron_orchestrator::{Conversation, InputKind, told_tasks};
use aileron_store::Store;

use self::writer::LogWriter;
use crate::history::{HistoryError, LoggedMessage, TurnHistory};
use crate::recap::{Recap, recap};

/// Maximum number of messages of a turn that are held for its transcript.
const MAX_HELD: usize = 32;

/// An input of the person.
#[derive(Debug)]
enum TurnOpening {
    Turn,
    Words(String, InputKind),
}

/// The transcript log of one voice session.
#[derive(Debug)]
pub struct TranscriptLog {
    turn: u64,
    /// The messages of a turn whose transcript has not come.
    held: Option<Vec<LoggedMessage>>,
    /// Whether the model is in the middle of an utterance.
    speaking: bool,
    /// Inputs that came meanwhile.
    next: Vec<TurnOpening>,
    writer: LogWriter,
}

impl TranscriptLog {
    /// Opens the log of a conversation. Also returns the recap for the model.
    pub async fn open(
        store: Arc<dyn Store>,
        clock: Arc<dyn Clock>,
        conversation: &Conversation,
        window_tokens: usize,
    ) -> Result<(Self, Recap), HistoryError> {
        let history = TurnHistory::load(store.clone(), conversation.id()).await?;
        let recap = recap(history.said(), window_tokens);
        let latest = history.said().last().map_or(0, |said| said.turn);
        let turn = latest.max(conversation.turn());
        let results = history.said().iter().flat_map(|said| said.message.results());
        let told = told_tasks(results);
        if !told.is_empty() {
            // A process may have died between writing the log and marking a result.
            store.mark_told(&told).await?;
        }
        let writer = LogWriter::begin(store, clock, conversation.id().clone(), history.last());
        Ok((Self::new(turn, writer), recap))
    }

    fn new(turn: u64, writer: LogWriter) -> Self {
        Self { turn, held: None, speaking: false, next: Vec::new(), writer }
    }

    /// The person did something that begins a turn.
    pub fn turn_began(&mut self) {
        if self.speaking {
            return self.hold_input(TurnOpening::Turn);
        }
        self.release();
        self.turn += 1;
        self.held = Some(Vec::new());
    }

    /// A transcript or text of the person: the one the turn began with, or a further one.
    pub fn person_said(&mut self, text: &str, input: InputKind) {
        if text.trim().is_empty() {
            return;
        }
        if !self.next.is_empty() {
            return self.hold_input(TurnOpening::Words(text.to_owned(), input));
        }
        let held = self.held.take().unwrap_or_default();
        let words = ChatMessage::Person { text: text.to_owned() };
        let words = match input {
            InputKind::Spoken => LoggedMessage::spoken(self.turn, words),
            InputKind::Written => LoggedMessage::new(self.turn, words),
        };
        self.write([words].into_iter().chain(held).collect());
    }

    /// A partial transcript of the model.
    pub fn model_speaks(&mut self, text: &str) {
        self.speaking |= !text.trim().is_empty();
    }

    /// The final transcript of a model utterance.
    pub fn model_said(&mut self, text: &str) {
        if !text.trim().is_empty() {
            self.add(vec![LoggedMessage::spoken(self.turn, reply(text))]);
        }
        self.model_interrupted();
    }

    /// The model's utterance is over, with or without a final transcript.
    pub fn model_interrupted(&mut self) {
        self.speaking = false;
        for beginning in std::mem::take(&mut self.next) {
            match beginning {
                TurnOpening::Turn => self.turn_began(),
                TurnOpening::Words(text, input) => self.person_said(&text, input),
            }
        }
    }

    /// Calls of the model, each with its result.
    pub fn calls_answered(&mut self, calls: Vec<(ToolCall, Arc<ToolResponse>)>) {
        let (mut parts, mut answers) = (Vec::new(), Vec::new());
        for (call, response) in calls {
            answers.push(ToolResultMessage {
                call_id: call.call_id.clone(),
                tool_id: call.tool_id.clone(),
                response: Arc::unwrap_or_clone(response),
            });
            parts.push(ReplyPart::Call { call });
        }
        if !answers.is_empty() {
            let calls = ChatMessage::Model { parts, original: None };
            let results = ChatMessage::Results { answers };
            let turn = self.turn;
            self.add(vec![LoggedMessage::new(turn, calls), LoggedMessage::new(turn, results)]);
        }
    }

    /// A late result.
    pub fn answered_late(&mut self, CallResult { call_id, response }: &CallResult) {
        let (tool_id, response) = (response.meta().tool_id.clone(), (**response).clone());
        let answer = ToolResultMessage { call_id: call_id.clone(), tool_id, response };
        self.add(vec![LoggedMessage::new(self.turn, ChatMessage::Late { answer })]);
    }

    /// Waits until all messages are durable. Returns how many could not be saved.
    pub async fn close(&mut self) -> u64 {
        self.model_interrupted();
        self.release();
        self.writer.close().await
    }

    /// An input comes while the model is speaking. It is held, but not without bound, because the model's final
    /// transcript may never come.
    fn hold_input(&mut self, beginning: TurnOpening) {
        self.next.push(beginning);
        if self.next.len() > MAX_HELD {
            self.model_interrupted();
        }
    }

    /// Adds messages that stay together.
    fn add(&mut self, messages: Vec<LoggedMessage>) {
        match &mut self.held {
            Some(held) if held.len() < MAX_HELD => held.extend(messages),
            _ => {
                self.release();
                self.write(messages);
            }
        }
    }

    fn release(&mut self) {
        if let Some(held) = self.held.take() {
            self.write(held);
        }
    }

    fn write(&mut self, messages: Vec<LoggedMessage>) {
        if !messages.is_empty() {
            self.writer.add(messages);
        }
    }
}

fn reply(text: &str) -> ChatMessage {
    ChatMessage::Model { parts: vec![ReplyPart::Text { text: text.to_owned() }], original: None }
}

#[cfg(test)]
#[path = "transcript_log_tests.rs"]
mod tests;
