//! How an engine is set up.

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
    /// Worker processes that may run at a time, for calls that are inside of none; as many again for those inside
    /// of one, and so on. A call holds its worker while it waits for its host too, so this is a bound on calls more
    /// than on cores, and a call that waits for another never holds the worker that the other needs.
    pub workers: usize,
    /// Sandboxes that are prepared ahead for each tool.
    pub warm: usize,
    /// How long a built-in may go without asking, once its call is over its limits.
    pub grace: Duration,
    /// Threads that may be stuck at a time and still be replaced.
    pub most_abandoned: usize,
}

/// What stands between a tool and the rest.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Isolation {
    /// Threads of this process: fast, and safe as far as the engine has no memory faults.
    #[default]
    Thread,
    /// Worker processes, each for one tool and one call at a time, killed when they do not obey.
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
