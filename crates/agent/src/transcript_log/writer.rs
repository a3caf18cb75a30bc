//! Adds to the log from a task of its own, so that speech waits for no disk. Somebody who writes at
//! the same time is not disturbed: what is said is added after what they added.

use std::sync::Arc;

use aileron_capability::Clock;
use aileron_contract::ConversationId;
use aileron_store::{AppendResult, Store};
use serde_json::Value;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

use crate::history::LoggedMessage;

/// The most additions that wait for the store.
const WAITING: usize = 256;

/// How often an addition is tried while others add too.
const ATTEMPTS: usize = 16;

#[derive(Debug)]
pub(super) struct LogWriter {
    /// None once it is closed.
    inbox: Option<mpsc::Sender<Vec<LoggedMessage>>>,
    /// Says how many messages could not be kept.
    task: JoinHandle<u64>,
    /// How many found no room to wait.
    dropped: u64,
}

impl LogWriter {
    /// Adds after the entry numbered `last`.
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

    /// Adds messages, all or none of them.
    pub(super) fn add(&mut self, said: Vec<LoggedMessage>) {
        let count = said.len() as u64;
        let sent = self.inbox.as_ref().is_some_and(|inbox| inbox.try_send(said).is_ok());
        if !sent {
            self.dropped += count;
        }
    }

    /// Waits for what is under way. Nothing is added afterwards.
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

    /// Says whether it was kept.
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
                    return true;
                }
                Ok(AppendResult::Conflict { found }) => self.last = found,
                Err(_) => return false,
            }
        }
        false
    }
}
