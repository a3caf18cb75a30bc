//! The host in a worker: every request goes to the engine at the other end of the pipe.

use aileron_capability::foreign::{Host, HostFault, LogLevel};
use std::collections::HashMap;
use std::io::{self, Stdout};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, MutexGuard, PoisonError};

use futures_util::future::BoxFuture;
use serde_json::Value;
use tokio::sync::oneshot;

use crate::host_bridge::refusal;
use crate::process::frame::{self, FromWorker};

type Answer = Result<Value, HostFault>;

pub(super) struct Pipe {
    out: Mutex<Stdout>,
    requests: Mutex<Requests>,
    answers: Sender<Answer>,
    /// Locked by the sandbox that waits for an answer.
    answered: Mutex<Receiver<Answer>>,
}

#[derive(Default)]
struct Requests {
    next: u32,
    waiting: HashMap<u32, oneshot::Sender<Answer>>,
}

impl Default for Pipe {
    fn default() -> Self {
        let (answers, answered) = channel();
        let (out, answered) = (Mutex::new(io::stdout()), Mutex::new(answered));
        Self { out, requests: Mutex::default(), answers, answered }
    }
}

impl Pipe {
    pub(super) fn say(&self, message: &FromWorker) -> io::Result<()> {
        frame::write(&mut *self.out.lock().unwrap_or_else(PoisonError::into_inner), message)
    }

    pub(super) fn reply(&self, id: u32, answer: Answer) {
        if let Some(waiting) = self.requests().waiting.remove(&id) {
            let _ = waiting.send(answer);
        }
    }

    pub(super) fn answer(&self, answer: Answer) {
        let _ = self.answers.send(answer);
    }

    /// Drops the requests of a finished call.
    pub(super) fn forget_requests(&self) {
        self.requests().waiting.clear();
    }

    /// Sends a request and blocks. The engine answers even an abandoned call.
    fn ask(&self, message: &FromWorker) -> Answer {
        let lost = || refusal("ENDED", "the engine is gone");
        let answered = self.answered.lock().unwrap_or_else(PoisonError::into_inner);
        self.say(message).map_err(|_| lost())?;
        answered.recv().unwrap_or_else(|_| Err(lost()))
    }

    fn requests(&self) -> MutexGuard<'_, Requests> {
        self.requests.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Host for Pipe {
    fn call(
        &self,
        capability: &str,
        method: &str,
        args: Vec<Value>,
    ) -> BoxFuture<'static, Result<Value, HostFault>> {
        let (answer, answered) = oneshot::channel();
        let mut requests = self.requests();
        let id = requests.next;
        requests.next = id.wrapping_add(1);
        requests.waiting.insert(id, answer);
        drop(requests);
        let (capability, method) = (capability.into(), method.into());
        let said = self.say(&FromWorker::Request { id, capability, method, args });
        let lost = || refusal("ENDED", "the engine is gone");
        Box::pin(async move {
            said.map_err(|_| lost())?;
            answered.await.unwrap_or_else(|_| Err(lost()))
        })
    }

    fn call_sync(&self, capability: &str, method: &str, args: Vec<Value>) -> Answer {
        self.ask(&FromWorker::Sync { capability: capability.into(), method: method.into(), args })
    }

    fn now_ms(&self) -> u64 {
        self.ask(&FromWorker::Now).ok().and_then(|now| now.as_u64()).unwrap_or_default()
    }

    fn log(&self, level: LogLevel, text: &str) {
        let _ = self.say(&FromWorker::Log { level, text: text.into() });
    }

    fn progress(&self, update: Value) {
        let _ = self.say(&FromWorker::Progress(update));
    }

    fn partial(&self, data: Value) {
        let _ = self.say(&FromWorker::Partial(data));
    }
}
