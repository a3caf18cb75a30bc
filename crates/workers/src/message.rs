//! The worker protocol, version 1: one JSON object a line, in both directions. Its document is
//! docs/worker-protocol.md.

mod decode;

use std::collections::BTreeMap;

use aileron_capability::foreign::{CapabilityShape, HostFault, LogLevel};
use serde::{Deserialize, Serialize};
use serde_json::Value;

pub(crate) use decode::decode;

/// The version that both sides must speak.
pub(crate) const PROTOCOL: u32 = 1;

/// A message of the server.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub(crate) enum ToWorker<'a> {
    Load {
        tool: &'a str,
        entry: &'a str,
        capabilities: &'a [CapabilityShape],
        /// Whether modules have the extension `.ts`; their types are erased already.
        typescript: bool,
    },
    Call {
        id: &'a str,
        tool: &'a str,
        args: &'a Value,
        context: &'a Value,
        secrets: &'a BTreeMap<String, SecretAnswer>,
        /// Whether a voice session is active.
        voice: bool,
    },
    /// Answers a request of a call.
    Reply {
        id: &'a str,
        request: u64,
        #[serde(flatten)]
        answer: ReplyAnswer,
    },
    Cancel {
        id: &'a str,
    },
    Ping,
}

/// The value of a declared secret, or why there is none.
#[derive(Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum SecretAnswer {
    Value(String),
    Fault(HostFault),
}

/// The answer of a capability.
#[derive(Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum ReplyAnswer {
    Value(Value),
    Fault(HostFault),
}

impl From<Result<Value, HostFault>> for ReplyAnswer {
    fn from(answer: Result<Value, HostFault>) -> Self {
        answer.map_or_else(Self::Fault, Self::Value)
    }
}

/// One line of the server, with its end.
pub(crate) fn encode(message: &ToWorker<'_>) -> Result<Vec<u8>, serde_json::Error> {
    let mut line = serde_json::to_vec(message)?;
    line.push(b'\n');
    Ok(line)
}

/// A message of a worker.
#[derive(Debug)]
pub(crate) enum FromWorker {
    Hello(Hello),
    Loaded(Loaded),
    /// A message of a call.
    Call(String, CallMessage),
    Pong,
    /// The worker asks to be replaced, for this reason.
    Retire(String),
}

/// The first message of a worker.
#[derive(Debug, Deserialize)]
pub(crate) struct Hello {
    pub(crate) protocol: u32,
    pub(crate) version: String,
}

/// The end of a load.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Loaded {
    pub(crate) tool: String,
    /// Whether the handler may run several calls at once.
    #[serde(default)]
    pub(crate) concurrent: bool,
    #[serde(default)]
    pub(crate) fault: Option<LoadFault>,
}

/// Why a handler was not loaded.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct LoadFault {
    pub(crate) kind: LoadFaultKind,
    pub(crate) message: String,
    /// The package that is not installed.
    #[serde(default)]
    pub(crate) package: Option<String>,
    #[serde(default)]
    pub(crate) stack: String,
}

impl LoadFault {
    /// A fault that the server found.
    pub(crate) fn top_level(message: String) -> Self {
        Self { kind: LoadFaultKind::TopLevel, message, package: None, stack: String::new() }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum LoadFaultKind {
    Package,
    Syntax,
    TopLevel,
    NoExecute,
}

/// A message of one call.
#[derive(Debug)]
pub(crate) enum CallMessage {
    /// The handler begins to run.
    Began,
    Request(Request),
    /// A request whose arguments cannot be read, for this reason.
    UnreadableRequest(u64, String),
    Log(LogLine),
    Note {
        event: String,
        details: Value,
    },
    Progress(Value),
    /// A piece of the result.
    Partial(Value),
    /// A message without a reply that cannot be read.
    Unreadable,
    Done(CallEnd),
}

/// A call of a capability.
#[derive(Debug, Deserialize)]
pub(crate) struct Request {
    pub(crate) request: u64,
    pub(crate) capability: String,
    pub(crate) method: String,
    pub(crate) args: Vec<Value>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct LogLine {
    pub(crate) level: LogLevel,
    pub(crate) text: String,
}

/// How a call ended.
#[derive(Debug)]
pub(crate) enum CallEnd {
    Result(Value),
    /// The result cannot be read, for this reason.
    Unreadable(String),
    TooLarge,
    /// The description of a thrown value.
    Fault(Value),
}
