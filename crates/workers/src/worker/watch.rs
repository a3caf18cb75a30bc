//! Starts the process of a worker and watches it to its end: its messages, its memory, its exit.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use aileron_capability::foreign::WorkerEnd;
use tokio::net::UnixStream;
use tokio::sync::Notify;
use tokio::time::{sleep, timeout};

use super::lines::{LineReader, LinesEnd};
use super::outbox::Outbox;
use super::state::WorkerState;
use super::{Rank, Worker};
use crate::interpreter::Interpreter;
use crate::memory::{group_bytes, resident_bytes};
use crate::message::{self, FromWorker, PROTOCOL};
use crate::options::WorkerOptions;
use crate::process::WorkerProcess;
use crate::tree::Tree;

/// Bytes of a line beyond the longest result.
const LINE_OVERHEAD: usize = 1 << 20;

/// How often the memory of a process is looked at, and how many times less often that of the
/// processes that it started.
const MEMORY_INTERVAL: Duration = Duration::from_millis(100);
const GROUP_INTERVALS: usize = 10;

/// How long an exit status and the last messages may take after the end of a process.
const CLOSING: Duration = Duration::from_millis(500);

const GREW: &str = "the worker process was replaced because its memory grew";
const IDLE: &str = "the worker process was stopped because it had nothing to do";
const STOPPED: &str = "the worker process was stopped";

/// The end of the watch.
enum WatchEnd {
    Exited(String),
    /// The socket is closed; the process is about to end.
    Closed,
    /// The process broke the protocol. Its further messages are not read.
    Breach(String),
    Stopped(String),
}

impl Worker {
    /// Starts a worker and waits for its first message.
    pub(crate) async fn start(
        interpreter: &Interpreter,
        secrets: &BTreeMap<String, String>,
        tree: &Tree,
        options: &Arc<WorkerOptions>,
        rank: Rank,
        freed: Arc<Notify>,
    ) -> Result<Arc<Self>, String> {
        let (mut process, stream) =
            WorkerProcess::start(interpreter, secrets, tree, options).await?;
        let (reader, writer) = UnixStream::into_split(stream);
        let mut lines = LineReader::new(reader, options.result_bytes.saturating_add(LINE_OVERHEAD));
        greeted(&mut process, &mut lines, interpreter, options).await?;
        let worker = Arc::new(Self {
            rank,
            outbox: Outbox::new(writer),
            state: Mutex::new(WorkerState::new()),
            loaded: tokio::sync::Mutex::default(),
            kill: Notify::new(),
            pong: Notify::new(),
            freed,
        });
        tokio::spawn(watch(worker.clone(), process, lines, options.clone()));
        Ok(worker)
    }
}

/// Checks the first message.
async fn greeted(
    process: &mut WorkerProcess,
    lines: &mut LineReader,
    interpreter: &Interpreter,
    options: &WorkerOptions,
) -> Result<(), String> {
    let first = timeout(options.load, lines.next()).await;
    let first =
        first.map_err(|_| "the worker process did not send its first message".to_owned())?;
    let Ok(first) = first else {
        let ended = timeout(CLOSING, process.ended()).await;
        return Err(ended.unwrap_or_else(|_| "the worker process closed its socket".to_owned()));
    };
    let first =
        message::decode(&first).map_err(|breach| format!("the worker process sent {breach}"));
    let FromWorker::Hello(hello) = first? else {
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
async fn watch(
    worker: Arc<Worker>,
    mut process: WorkerProcess,
    mut lines: LineReader,
    options: Arc<WorkerOptions>,
) {
    let id = process.id;
    let end = tokio::select! {
        end = listen(&worker, &mut lines) => end,
        why = process.ended() => WatchEnd::Exited(why),
        end = look_after(&worker, id, &options) => end,
        () = worker.outbox.flush() => WatchEnd::Closed,
        () = worker.kill.notified() => {
            let why = worker.state().retiring.clone();
            WatchEnd::Stopped(why.unwrap_or_else(|| STOPPED.to_owned()))
        }
    };
    let why = match end {
        WatchEnd::Closed => {
            let ended = timeout(CLOSING, process.ended()).await;
            ended.unwrap_or_else(|_| "the worker process closed its socket".to_owned())
        }
        WatchEnd::Exited(why) | WatchEnd::Stopped(why) => {
            process.kill();
            // Answers that were sent before the end count.
            let _ = timeout(CLOSING, listen(&worker, &mut lines)).await;
            why
        }
        WatchEnd::Breach(why) => why,
    };
    let output = process.finish(CLOSING).await;
    match why == IDLE {
        true => tracing::info!(process = id, "A worker process ended: {why}."),
        false => tracing::warn!(process = id, "A worker process ended: {why}."),
    }
    worker.end(&WorkerEnd { why, output });
}

/// Passes messages on until the socket is closed or the protocol is broken.
async fn listen(worker: &Worker, lines: &mut LineReader) -> WatchEnd {
    loop {
        let line = match lines.next().await {
            Ok(line) => line,
            Err(LinesEnd::Closed) => return WatchEnd::Closed,
            Err(LinesEnd::TooLong) => return breach("a message that is too long"),
        };
        let received = message::decode(&line).and_then(|message| worker.receive(message));
        if let Err(what) = received {
            return breach(&what);
        }
    }
}

fn breach(what: &str) -> WatchEnd {
    WatchEnd::Breach(format!("the worker process sent {what} and was stopped"))
}

/// Waits until the process uses more memory than it may. Before that it is retired, and when it has
/// nothing to do.
async fn look_after(worker: &Worker, process: u32, options: &WorkerOptions) -> WatchEnd {
    let limit = options.memory_bytes;
    for turn in 1_usize.. {
        sleep(MEMORY_INTERVAL).await;
        let used = match turn % GROUP_INTERVALS {
            0 => group_bytes(process),
            _ => resident_bytes(process),
        };
        let used = used.unwrap_or_default();
        if used > limit {
            let megabytes = limit >> 20;
            return WatchEnd::Stopped(format!(
                "the worker process used more than {megabytes} MB and was stopped"
            ));
        }
        if used > limit / 4 * 3 {
            worker.retire(GREW);
        }
        if !worker.rank.stays && worker.state().is_idle_for(options.idle) {
            worker.retire(IDLE);
        }
    }
    WatchEnd::Stopped(STOPPED.to_owned())
}
