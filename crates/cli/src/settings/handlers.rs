//! `[handlers]`: how the code of tools is run.

use std::ffi::OsString;
use std::num::{NonZeroU32, NonZeroU64};
use std::path::{Path, PathBuf};
use std::time::Duration;

use aileron_sandbox::SandboxLimits;
use serde::{Deserialize, Serialize};

use crate::output::Failure;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct HandlerSettings {
    pub(crate) isolation: Isolation,
    /// Memory of one call, in megabytes.
    pub(crate) memory_mb: NonZeroU32,
    /// Processor time of one call, in milliseconds.
    pub(crate) cpu_ms: NonZeroU64,
    /// Threads that run calls; 0 means one for each core.
    pub(crate) threads: u16,
    /// Whether Node.js and Python handlers may run, which nothing contains.
    pub(crate) trusted: bool,
    /// The program that runs Node.js handlers.
    pub(crate) node: PathBuf,
    /// The program that runs Python handlers without a virtual environment.
    pub(crate) python: PathBuf,
    /// Worker processes of each of them; 0 means one for each core.
    pub(crate) workers: u16,
    /// Memory of one worker process, in megabytes.
    pub(crate) worker_memory_mb: NonZeroU32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Isolation {
    Thread,
    Process,
}

impl Default for HandlerSettings {
    fn default() -> Self {
        Self {
            isolation: Isolation::Thread,
            memory_mb: NonZeroU32::MIN.saturating_add(63),
            cpu_ms: NonZeroU64::MIN.saturating_add(499),
            threads: 0,
            trusted: true,
            node: "node".into(),
            python: "python3".into(),
            workers: 0,
            worker_memory_mb: NonZeroU32::MIN.saturating_add(511),
        }
    }
}

/// The hidden command with which this binary becomes a worker.
pub(crate) const WORKER: &str = "js-worker";

/// The hidden command with which this binary starts a Node.js or Python worker.
pub(crate) const HANDLER_PROCESS: &str = "handler-process";

impl HandlerSettings {
    /// The options of an engine.
    pub(crate) fn options(&self) -> Result<aileron_sandbox::Options, Failure> {
        let usual = aileron_sandbox::Options::default();
        let memory = u64::from(self.memory_mb.get()) << 20;
        let limits = SandboxLimits {
            memory_bytes: usize::try_from(memory).unwrap_or(usize::MAX),
            cpu: Duration::from_millis(self.cpu_ms.get()),
            ..SandboxLimits::default()
        };
        let threads = if self.threads == 0 { usual.threads } else { usize::from(self.threads) };
        Ok(aileron_sandbox::Options { isolation: self.isolation()?, limits, threads, ..usual })
    }

    /// The options of Node.js and Python workers for a tools folder; `None` if they may not run.
    pub(crate) fn worker_options(
        &self,
        tools: &Path,
    ) -> Result<Option<aileron_workers::WorkerOptions>, Failure> {
        if !self.trusted {
            return Ok(None);
        }
        let usual = aileron_workers::WorkerOptions::new(tools.to_path_buf());
        let workers = if self.workers == 0 { usual.workers } else { usize::from(self.workers) };
        Ok(Some(aileron_workers::WorkerOptions {
            node: self.node.clone(),
            python: self.python.clone(),
            launcher: vec![this_program()?.into(), OsString::from(HANDLER_PROCESS)],
            workers,
            memory_bytes: u64::from(self.worker_memory_mb.get()) << 20,
            ..usual
        }))
    }

    fn isolation(&self) -> Result<aileron_sandbox::Isolation, Failure> {
        if self.isolation == Isolation::Thread {
            return Ok(aileron_sandbox::Isolation::Thread);
        }
        Ok(aileron_sandbox::Isolation::Process {
            command: vec![this_program()?.into(), OsString::from(WORKER)],
        })
    }
}

fn this_program() -> Result<PathBuf, Failure> {
    std::env::current_exe()
        .map_err(|error| Failure::Failed(format!("this program cannot be found: {error}")))
}
