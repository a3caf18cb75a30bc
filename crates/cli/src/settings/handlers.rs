//! `[handlers]`: how the JavaScript of tools is run.

use std::ffi::OsString;
use std::num::{NonZeroU32, NonZeroU64};
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
        }
    }
}

/// The hidden command with which this binary becomes a worker.
pub(crate) const WORKER: &str = "js-worker";

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

    fn isolation(&self) -> Result<aileron_sandbox::Isolation, Failure> {
        if self.isolation == Isolation::Thread {
            return Ok(aileron_sandbox::Isolation::Thread);
        }
        let program = std::env::current_exe()
            .map_err(|error| Failure::Failed(format!("this program cannot be found: {error}")))?;
        Ok(aileron_sandbox::Isolation::Process {
            command: vec![program.into(), OsString::from(WORKER)],
        })
    }
}
