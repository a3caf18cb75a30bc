//! The options of worker processes.

use std::ffi::OsString;
use std::num::NonZero;
use std::path::PathBuf;
use std::thread::available_parallelism;
use std::time::Duration;

/// The settings of an engine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorkerOptions {
    /// The tools folder, from which the paths of package manifests are resolved.
    pub tools: PathBuf,
    /// The program that runs Node.js handlers.
    pub node: PathBuf,
    /// The program that runs Python handlers without a virtual environment of their own.
    pub python: PathBuf,
    /// A program that runs [`crate::launch::run`] with the arguments that follow, so that a worker
    /// does not outlive the server; empty: workers are started directly.
    pub launcher: Vec<OsString>,
    /// Maximum number of processes of one interpreter, at each nesting depth of calls.
    pub workers: usize,
    /// Maximum number of calls that one process runs at once.
    pub calls: usize,
    /// Maximum number of requests to capabilities that one call has open at once.
    pub requests: usize,
    /// Memory of one process.
    pub memory_bytes: u64,
    /// How long a process waits for a call before it is stopped. One of each interpreter goes on.
    pub idle: Duration,
    /// JSON text of a result.
    pub result_bytes: usize,
    /// Text of all log lines, progress updates and partial data of one call; later ones are dropped.
    pub log_bytes: usize,
    /// How long a process may take to start, and the top level of a handler to run.
    pub load: Duration,
    /// How long a call may go on after its deadline or its cancellation before its process is
    /// replaced.
    pub grace: Duration,
}

impl WorkerOptions {
    /// The usual settings for a tools folder.
    pub fn new(tools: PathBuf) -> Self {
        Self {
            tools,
            node: "node".into(),
            python: "python3".into(),
            launcher: Vec::new(),
            workers: available_parallelism().map_or(1, NonZero::get),
            calls: 64,
            requests: 1000,
            memory_bytes: 512 << 20,
            idle: Duration::from_secs(60),
            result_bytes: 4 << 20,
            log_bytes: 256 << 10,
            load: Duration::from_secs(20),
            grace: Duration::from_secs(1),
        }
    }
}
