//! One worker: sends it messages, passes its messages on to their calls, and watches its process.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use memchr::memchr;
use tokio::io::AsyncReadExt;
use tokio::net::UnixStream;
use tokio::net::unix::{OwnedReadHalf, OwnedWriteHalf};
use tokio::sync::mpsc::UnboundedSender;
use tokio::sync::{Notify, oneshot};
use tokio::time::timeout;

use crate::interpreter::Interpreter;
use crate::memory::resident_bytes;
use crate::message::{
    self, CallMessage, FromWorker, LoadFault, LoadFaultKind, Loaded, PROTOCOL, ToWorker,
};
use crate::options::Options;
use crate::process::WorkerProcess;
use crate::tool_code::ToolCode;
use crate::tree::Tree;

/// Bytes that may wait for a worker that does not read.
const MOST_UNSENT: usize = 64 << 20;

/// Bytes of a line beyond the longest result.
const LINE_OVERHEAD: usize = 1 << 20;

/// How often the memory of a process is looked at.
const MEMORY_INTERVAL: Duration = Duration::from_millis(100);

/// What a call receives from its worker.
#[derive(Debug)]
pub(crate) enum CallEvent {
    Message(CallMessage),
    /// The worker ended, for this reason.
    Ended(String),
}

/// A worker that runs, or has ended.
#[derive(Debug)]
pub(crate) struct Worker {
    writer: OwnedWriteHalf,
    unsent: Mutex<Vec<u8>>,
    has_unsent: Notify,
    state: Mutex<State>,
    /// The handlers that it has loaded. The lock is held while one is being loaded.
    loaded: tokio::sync::Mutex<HashMap<String, Result<bool, LoadFault>>>,
    /// Asks the watcher to kill the process.
    kill: Notify,
    pong: Notify,
    /// Wakes tasks that wait for a free worker.
    freed: Arc<Notify>,
}

#[derive(Debug, Default)]
struct State {
    calls: HashMap<String, UnboundedSender<CallEvent>>,
    /// The tool that is being loaded.
    loading: Option<(String, oneshot::Sender<Loaded>)>,
    /// Calls whose callers wait for them.
    live: usize,
    /// Whether a call runs that must be alone.
    is_exclusive: bool,
    /// Why it gets no further calls.
    retiring: Option<String>,
    ended: Option<String>,
}

impl Worker {
    /// Starts a worker and waits for its first message.
    pub(crate) async fn start(
        interpreter: &Interpreter,
        secrets: &BTreeMap<String, String>,
        tree: &Tree,
        options: &Arc<Options>,
        freed: Arc<Notify>,
    ) -> Result<Arc<Self>, String> {
        let (process, stream) = WorkerProcess::start(interpreter, secrets, tree, options).await?;
        let (reader, writer) = UnixStream::into_split(stream);
        let longest = options.result_bytes.saturating_add(LINE_OVERHEAD);
        let mut lines = Lines { reader, pending: Vec::new(), searched: 0, longest };
        greeted(&mut lines, interpreter, options).await?;
        let worker = Arc::new(Self {
            writer,
            unsent: Mutex::default(),
            has_unsent: Notify::new(),
            state: Mutex::default(),
            loaded: tokio::sync::Mutex::default(),
            kill: Notify::new(),
            pong: Notify::new(),
            freed,
        });
        tokio::spawn(watch(worker.clone(), process, lines, options.memory_bytes));
        Ok(worker)
    }

    /// Sends a message without waiting. A worker that does not read is killed.
    pub(crate) fn send(&self, message: &ToWorker<'_>) -> Result<(), String> {
        let line = message::encode(message).map_err(|error| error.to_string())?;
        let mut unsent = self.unsent.lock().unwrap_or_else(PoisonError::into_inner);
        let sent = if unsent.is_empty() { self.writer.try_write(&line).unwrap_or(0) } else { 0 };
        if sent == line.len() {
            return Ok(());
        }
        unsent.extend_from_slice(&line[sent..]);
        if unsent.len() > MOST_UNSENT {
            self.kill("the worker process did not read its messages and was stopped");
        }
        self.has_unsent.notify_one();
        Ok(())
    }

    /// Sends the rest of messages as the worker reads them.
    async fn flush(&self) {
        loop {
            self.has_unsent.notified().await;
            loop {
                if self.writer.writable().await.is_err() {
                    return;
                }
                let mut unsent = self.unsent.lock().unwrap_or_else(PoisonError::into_inner);
                match self.writer.try_write(&unsent) {
                    Ok(sent) => drop(unsent.drain(..sent)),
                    Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => {}
                    Err(_) => return,
                }
                if unsent.is_empty() {
                    break;
                }
            }
        }
    }

    /// Loads a handler, once. Whether it may run several calls at once.
    pub(crate) async fn load(&self, code: &ToolCode, limit: Duration) -> Result<bool, LoadFault> {
        let mut loaded = self.loaded.lock().await;
        if let Some(known) = loaded.get(&code.tool) {
            return known.clone();
        }
        let outcome = self.load_now(code, limit).await;
        loaded.insert(code.tool.clone(), outcome.clone());
        outcome
    }

    async fn load_now(&self, code: &ToolCode, limit: Duration) -> Result<bool, LoadFault> {
        let failed = |message: String| LoadFault {
            kind: LoadFaultKind::TopLevel,
            message,
            package: None,
            stack: String::new(),
        };
        let (sender, receiver) = oneshot::channel();
        {
            let mut state = self.state();
            if let Some(why) = &state.ended {
                return Err(failed(why.clone()));
            }
            state.loading = Some((code.tool.clone(), sender));
        }
        let ToolCode { tool, entry, shapes, .. } = code;
        self.send(&ToWorker::Load { tool, entry, capabilities: shapes }).map_err(failed)?;
        match timeout(limit, receiver).await {
            Ok(Ok(Loaded { fault: None, concurrent, .. })) => Ok(concurrent),
            Ok(Ok(Loaded { fault: Some(fault), .. })) => Err(fault),
            Ok(Err(_)) => Err(failed(self.end_reason())),
            Err(_) => {
                let why = format!("its top level did not finish within {} s", limit.as_secs_f32());
                self.kill(&format!("the worker process was stopped: {why}"));
                Err(failed(why))
            }
        }
    }

    /// Enters a call, so that its messages reach it; false if the worker has ended.
    pub(crate) fn enter(&self, id: &str, events: UnboundedSender<CallEvent>) -> bool {
        let mut state = self.state();
        let runs = state.ended.is_none();
        if runs {
            state.calls.insert(id.to_owned(), events);
        }
        runs
    }

    /// Reserves the worker for one more call, if it takes one.
    pub(crate) fn reserve(&self, is_alone: bool, most: usize) -> bool {
        let mut state = self.state();
        let takes = state.ended.is_none() && state.retiring.is_none() && !state.is_exclusive;
        let most = if is_alone { 1 } else { most };
        if !takes || state.live >= most {
            return false;
        }
        state.live += 1;
        state.is_exclusive = is_alone;
        true
    }

    /// Returns a reservation.
    pub(crate) fn release(&self) {
        let mut state = self.state();
        state.live = state.live.saturating_sub(1);
        state.is_exclusive = false;
        let kill = state.live == 0 && state.retiring.is_some();
        drop(state);
        if kill {
            self.kill.notify_one();
        }
        self.freed.notify_waiters();
    }

    /// Calls whose callers wait; `None` if it takes no further calls.
    pub(crate) fn load_count(&self) -> Option<usize> {
        let state = self.state();
        (state.ended.is_none() && state.retiring.is_none()).then_some(state.live)
    }

    pub(crate) fn has_ended(&self) -> bool {
        self.state().ended.is_some()
    }

    /// Gives it no further calls, and kills it when its calls have ended.
    pub(crate) fn retire(&self, why: &str) {
        let mut state = self.state();
        state.retiring.get_or_insert_with(|| why.to_owned());
        let kill = state.live == 0;
        drop(state);
        if kill {
            self.kill.notify_one();
        }
        self.freed.notify_waiters();
    }

    /// Kills it now.
    pub(crate) fn kill(&self, why: &str) {
        self.state().retiring = Some(why.to_owned());
        self.kill.notify_one();
    }

    /// Whether it answers a message within this time.
    pub(crate) async fn is_responsive(&self, within: Duration) -> bool {
        let pong = self.pong.notified();
        self.send(&ToWorker::Ping).is_ok() && timeout(within, pong).await.is_ok()
    }

    fn end_reason(&self) -> String {
        self.state().ended.clone().unwrap_or_else(|| "the worker process ended".to_owned())
    }

    fn end(&self, why: &str) {
        let mut state = self.state();
        state.ended.get_or_insert_with(|| why.to_owned());
        state.loading = None;
        for (_, events) in state.calls.drain() {
            let _ = events.send(CallEvent::Ended(why.to_owned()));
        }
        drop(state);
        self.freed.notify_waiters();
    }

    /// Passes a message on; an error is a breach of the protocol.
    fn receive(&self, message: FromWorker) -> Result<(), String> {
        match message {
            FromWorker::Call(id, message) => {
                let mut state = self.state();
                let is_done = matches!(message, CallMessage::Done(_));
                let events =
                    if is_done { state.calls.remove(&id) } else { state.calls.get(&id).cloned() };
                drop(state);
                match events {
                    Some(events) => drop(events.send(CallEvent::Message(message))),
                    None if is_done => {
                        return Err("an answer to a call that it does not run".to_owned());
                    }
                    None => {}
                }
            }
            FromWorker::Loaded(loaded) => match self.state().loading.take() {
                Some((tool, waiting)) if tool == loaded.tool => drop(waiting.send(loaded)),
                _ => return Err("the end of a load that it was not asked for".to_owned()),
            },
            FromWorker::Pong => self.pong.notify_waiters(),
            FromWorker::Retire(reason) => self.retire(&reason),
            FromWorker::Hello(_) => return Err("a second first message".to_owned()),
        }
        Ok(())
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Checks the first message.
async fn greeted(
    lines: &mut Lines,
    interpreter: &Interpreter,
    options: &Options,
) -> Result<(), String> {
    let first = timeout(options.load, lines.next()).await;
    let first =
        first.map_err(|_| "the worker process did not send its first message".to_owned())??;
    let FromWorker::Hello(hello) = message::decode(&first)? else {
        return Err("the worker process did not begin with its first message".to_owned());
    };
    if hello.protocol != PROTOCOL {
        return Err(format!(
            "expected version {PROTOCOL} of the worker protocol, found {}",
            hello.protocol
        ));
    }
    interpreter.check_version(&hello.version)
}

/// Runs until the process has ended, and tells the reason to its calls.
async fn watch(worker: Arc<Worker>, mut process: WorkerProcess, mut lines: Lines, memory: u64) {
    let id = process.id;
    let why = tokio::select! {
        why = process.ended() => why,
        why = listen(&worker, &mut lines) => why,
        why = over_memory(&worker, id, memory) => why,
        () = worker.flush() => CLOSED.to_owned(),
        () = worker.kill.notified() => {
            let state = worker.state();
            state.retiring.clone().unwrap_or_else(|| "the worker process was stopped".to_owned())
        }
    };
    let why = match why.as_str() {
        // The process is about to end; its exit status says more.
        CLOSED => timeout(CLOSING, process.ended()).await.unwrap_or(why),
        _ => why,
    };
    drop(process);
    worker.end(&why);
}

const CLOSED: &str = "the worker process closed its socket";
const CLOSING: Duration = Duration::from_millis(200);

/// Passes messages on until the socket is closed or the protocol is broken.
async fn listen(worker: &Worker, lines: &mut Lines) -> String {
    loop {
        let line = match lines.next().await {
            Ok(line) => line,
            Err(why) => return why,
        };
        let received = message::decode(&line).and_then(|message| worker.receive(message));
        if let Err(breach) = received {
            return format!("the worker process sent {breach} and was stopped");
        }
    }
}

/// Waits until the process uses more memory than it may. Before that it is retired.
async fn over_memory(worker: &Worker, process: u32, limit: u64) -> String {
    loop {
        tokio::time::sleep(MEMORY_INTERVAL).await;
        let used = resident_bytes(process).unwrap_or_default();
        if used > limit {
            return format!("the worker process used more than {} MB and was stopped", limit >> 20);
        }
        if used > limit / 4 * 3 {
            worker.retire("the worker process was replaced because its memory grew");
        }
    }
}

/// The lines of a worker.
struct Lines {
    reader: OwnedReadHalf,
    pending: Vec<u8>,
    searched: usize,
    longest: usize,
}

impl Lines {
    /// The next line without its end, or the reason why there is none. Cancel-safe.
    async fn next(&mut self) -> Result<Vec<u8>, String> {
        loop {
            if let Some(at) = memchr(b'\n', &self.pending[self.searched..]) {
                let rest = self.pending.split_off(self.searched + at + 1);
                let mut line = std::mem::replace(&mut self.pending, rest);
                line.pop();
                self.searched = 0;
                return Ok(line);
            }
            self.searched = self.pending.len();
            if self.searched > self.longest {
                return Err(
                    "the worker process sent a message that is too long and was stopped".to_owned()
                );
            }
            match self.reader.read_buf(&mut self.pending).await {
                Ok(0) | Err(_) => return Err(CLOSED.to_owned()),
                Ok(_) => {}
            }
        }
    }
}
