//! The options of an engine.

use std::ffi::OsString;
use std::num::NonZero;
use std::thread::available_parallelism;
use std::time::Duration;

use super::limits::SandboxLimits;

/// The settings of an engine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    pub isolation: Isolation,
    pub limits: SandboxLimits,
    /// Threads that run calls, at least one. One more prepares sandboxes and frees them.
    pub threads: usize,
    /// Maximum worker processes at each nesting depth of calls. A call keeps its worker while it
    /// waits for its host, so this limits calls rather than cores. Each depth has its own workers,
    /// so a call that waits for a nested call never holds the worker that the nested call needs.
    pub workers: usize,
    /// Sandboxes that are prepared ahead for each tool.
    pub warm: usize,
    /// How long a built-in may run without polling after its call exceeded its limits.
    pub grace: Duration,
    /// Maximum number of stuck threads that are replaced.
    pub most_abandoned: usize,
}

/// The isolation of tools.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Isolation {
    /// Threads of this process: fast, and safe unless the engine has memory faults.
    #[default]
    Thread,
    /// Worker processes, each for one tool and one call at a time, killed if they do not stop.
    Process {
        /// Starts a worker: a program that runs [`crate::worker::run`] on its standard input and output.
        command: Vec<OsString>,
    },
}

impl Default for Options {
    fn default() -> Self {
        Self {
            isolation: Isolation::default(),
            limits: SandboxLimits::default(),
            threads: cores(),
            workers: cores() * 4,
            warm: 2,
            grace: Duration::from_secs(1),
            most_abandoned: 8,
        }
    }
}

/// The cores this process may use.
fn cores() -> usize {
    available_parallelism().map_or(1, NonZero::get)
}
