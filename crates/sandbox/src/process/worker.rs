//! One worker process, on the engine's side. Dropping it kills the process.

use std::ffi::OsString;
use std::io;
use std::process::Stdio;
use std::time::Duration;

use tokio::io::{AsyncWriteExt, BufReader};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::sync::mpsc::{Receiver, Sender, channel};

use super::frame::{self, FromWorker, ToWorker};
use crate::cpu_clock::CpuClock;

/// Number of messages read ahead; a worker that sends more blocks.
const AHEAD: usize = 16;

pub(super) struct Worker {
    process: Child,
    input: ChildStdin,
    messages: Receiver<FromWorker>,
    processor: CpuClock,
    /// The script it has loaded. It never runs another.
    pub(super) script: Option<u64>,
}

impl Worker {
    /// Starts a process with no environment, and waits for its first message.
    pub(super) async fn start(command: &[OsString], longest: usize) -> io::Result<Self> {
        let (program, args) = command.split_first().ok_or(io::ErrorKind::InvalidInput)?;
        let mut process = Command::new(program)
            .args(args)
            .env_clear()
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn()?;
        let (Some(input), Some(output)) = (process.stdin.take(), process.stdout.take()) else {
            return Err(io::ErrorKind::BrokenPipe.into());
        };
        let (sender, messages) = channel(AHEAD);
        tokio::spawn(listen(output, longest, sender));
        let processor = CpuClock::of_process(process.id().unwrap_or_default());
        let mut worker = Self { process, input, messages, processor, script: None };
        match worker.receive().await? {
            FromWorker::Ready => Ok(worker),
            _ => Err(io::ErrorKind::InvalidData.into()),
        }
    }

    /// Whether the process runs and its output is open.
    pub(super) fn is_alive(&mut self) -> bool {
        !self.messages.is_closed() && matches!(self.process.try_wait(), Ok(None))
    }

    /// Its CPU time.
    pub(super) fn processor_time(&self) -> Duration {
        self.processor.time()
    }

    pub(super) async fn tell(&mut self, message: &ToWorker) -> io::Result<()> {
        let frame = frame::encode(message)?;
        self.tell_bytes(&frame).await
    }

    pub(super) async fn tell_bytes(&mut self, frame: &[u8]) -> io::Result<()> {
        self.input.write_all(frame).await?;
        self.input.flush().await
    }

    /// The next message; an error if the worker died or sent an invalid message. Cancel-safe.
    pub(super) async fn receive(&mut self) -> io::Result<FromWorker> {
        self.messages.recv().await.ok_or_else(|| io::ErrorKind::BrokenPipe.into())
    }
}

/// Reads messages until one is invalid or the receiver is dropped.
async fn listen(output: ChildStdout, longest: usize, messages: Sender<FromWorker>) {
    let mut output = BufReader::new(output);
    while let Ok(message) = frame::receive(&mut output, longest).await {
        if messages.send(message).await.is_err() {
            return;
        }
    }
}
