//! Appends to the log in a separate task, so that voice does not wait for the disk. If another writer
//! appends at the same time, these messages are appended after its own.

use std::sync::Arc;

use aileron_capability::Clock;
use aileron_contract::ConversationId;
use aileron_orchestrator::told_tasks;
use aileron_store::{AppendResult, Store};
use serde_json::Value;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

use crate::history::LoggedMessage;

/// Maximum number of appends that wait for the store.
const WAITING: usize = 256;

/// How often an append is tried while others append too.
const ATTEMPTS: usize = 16;

#[derive(Debug)]
pub(super) struct LogWriter {
    /// `None` once it is closed.
    inbox: Option<mpsc::Sender<Vec<LoggedMessage>>>,
    /// Returns how many messages could not be saved.
    task: JoinHandle<u64>,
    /// How many messages found the queue full.
    dropped: u64,
}

impl LogWriter {
    /// Appends after the entry numbered `last`.
    pub(super) fn begin(
        store: Arc<dyn Store>,
        clock: Arc<dyn Clock>,
        conversation: ConversationId,
        last: u64,
    ) -> Self {
        let (inbox, waiting) = mpsc::channel(WAITING);
        let log = LogTarget { store, clock, conversation, last };
        Self { inbox: Some(inbox), task: tokio::spawn(log.run(waiting)), dropped: 0 }
    }

    /// Appends messages, all or none of them.
    pub(super) fn add(&mut self, said: Vec<LoggedMessage>) {
        let count = said.len() as u64;
        let sent = self.inbox.as_ref().is_some_and(|inbox| inbox.try_send(said).is_ok());
        if !sent {
            self.dropped += count;
        }
    }

    /// Waits for pending appends. Nothing is appended afterwards.
    pub(super) async fn close(&mut self) -> u64 {
        if self.inbox.take().is_some() {
            self.dropped += (&mut self.task).await.unwrap_or_default();
        }
        self.dropped
    }
}

struct LogTarget {
    store: Arc<dyn Store>,
    clock: Arc<dyn Clock>,
    conversation: ConversationId,
    last: u64,
}

impl LogTarget {
    async fn run(mut self, mut waiting: mpsc::Receiver<Vec<LoggedMessage>>) -> u64 {
        let mut lost = 0;
        while let Some(mut said) = waiting.recv().await {
            while let Ok(more) = waiting.try_recv() {
                said.extend(more);
            }
            let count = said.len() as u64;
            if !self.append(&said).await {
                lost += count;
            }
        }
        lost
    }

    /// Returns whether the messages were saved.
    async fn append(&mut self, said: &[LoggedMessage]) -> bool {
        let body = |said| Arc::new(serde_json::to_value(said).unwrap_or(Value::Null));
        let bodies: Vec<_> = said.iter().map(body).collect();
        for _ in 0..ATTEMPTS {
            let now = self.clock.now_ms();
            let added =
                self.store.append_messages(&self.conversation, self.last, bodies.clone(), now);
            match added.await {
                Ok(AppendResult::At(at)) => {
                    self.last = at;
                    let results = said.iter().flat_map(|said| said.message.results());
                    let told = told_tasks(results);
                    if !told.is_empty() {
                        // A result that is not marked is found in the log by the next turn.
                        let _ = self.store.mark_told(&told).await;
                    }
                    return true;
                }
                Ok(AppendResult::Conflict { found }) => self.last = found,
                Err(_) => return false,
            }
        }
        false
    }
}
