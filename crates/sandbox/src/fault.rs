//! How an engine or a load can fail.

use std::fmt;

use aileron_capability::foreign::HandlerFault;
use serde::{Deserialize, Serialize};

/// Why a tool's modules cannot be run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum LoadError {
    /// A module is missing or is no JavaScript.
    Module { tool: String, message: String },
    /// The top level of a module failed.
    TopLevel { tool: String, fault: HandlerFault },
    /// The entry module has no function `execute`.
    NoExecute { tool: String, entry: String },
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Module { tool, message } => write!(f, "tool `{tool}` does not load: {message}"),
            Self::TopLevel { tool, fault } => {
                write!(f, "tool `{tool}` fails at the top level of a module: {fault}")
            }
            Self::NoExecute { tool, entry } => {
                write!(f, "tool `{tool}`: expected a function `execute` exported by `{entry}`")
            }
        }
    }
}

impl std::error::Error for LoadError {}

/// Why an engine does not start.
#[derive(Debug)]
pub enum EngineError {
    /// No thread could be started.
    Thread(std::io::Error),
    /// The command of the worker process could not be started.
    Worker { command: String, error: std::io::Error },
    /// The worker process started but did not send a worker's first message.
    NoWorker { command: String },
}

impl fmt::Display for EngineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Thread(error) => write!(f, "a thread could not be started: {error}"),
            Self::Worker { command, error } => {
                write!(f, "`{command}` could not be started: {error}")
            }
            Self::NoWorker { command } => {
                write!(
                    f,
                    "expected `{command}` to run a JavaScript worker, found that it does not answer"
                )
            }
        }
    }
}

impl std::error::Error for EngineError {}
