//! Handlers that are not compiled in: an engine loads them from the sources in the artifact and runs
//! them. The sandbox is one such engine; this crate knows none.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use aileron_contract::{ArtifactTool, HandlerRuntime, Packages};
use futures_util::future::BoxFuture;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{Capability, Context, HandlerEnd};

/// Loads handlers from their sources.
pub trait HandlerEngine: fmt::Debug + Send + Sync {
    /// Begins to load a handler, so that several are loaded concurrently.
    fn begin_load(self: Arc<Self>, source: HandlerSource<'_>) -> Box<dyn LoadingHandler>;
}

/// The sources of one tool, as the artifact has them.
#[derive(Debug, Clone, Copy)]
pub struct HandlerSource<'a> {
    pub tool: &'a str,
    /// The module that exports `execute`.
    pub entry: &'a str,
    /// All modules, by their path below the tools folder.
    pub modules: &'a BTreeMap<String, String>,
    pub declared: &'a [Capability],
    pub runtime: HandlerRuntime,
    /// The packages that the modules may import.
    pub packages: Option<&'a Packages>,
}

/// A handler that is being loaded.
pub trait LoadingHandler: Send {
    /// Waits until the handler is ready, or returns the reason why it cannot be run.
    fn wait(self: Box<Self>) -> Result<Arc<dyn LoadedHandler>, String>;
}

/// A handler that is ready to be called.
pub trait LoadedHandler: fmt::Debug + Send + Sync {
    /// Runs one call with validated arguments.
    fn run(
        &self,
        args: Arc<Value>,
        tool: Arc<ArtifactTool>,
        context: Context,
    ) -> BoxFuture<'static, HandlerEnd>;

    /// The quarantine that the handler is in, if calls of it hold threads.
    fn quarantine(&self) -> Option<Quarantine>;
}

/// A quarantine that is in force.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Quarantine {
    /// The remaining time.
    pub left: Duration,
    pub scope: QuarantineScope,
    /// Threads that the tool holds.
    pub threads_held: usize,
}

impl fmt::Display for Quarantine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let whose = match self.scope {
            QuarantineScope::Callers => "calls of this caller are refused",
            QuarantineScope::Everybody => "all calls of the tool are refused",
        };
        let (held, seconds) = (self.threads_held, self.seconds_left());
        write!(
            f,
            "a built-in function of JavaScript does not end and holds {held} of the server's threads; {whose} for \
             {seconds} s, or until the threads come back"
        )
    }
}

impl Quarantine {
    /// The remaining time in seconds, rounded up.
    pub fn seconds_left(&self) -> u64 {
        self.left.as_secs() + u64::from(self.left.subsec_nanos() > 0)
    }
}

/// Which calls are refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum QuarantineScope {
    /// The calls of the callers whose calls hold a thread.
    Callers,
    Everybody,
}
