//! The worker protocol, version 1: one JSON object a line, in both directions.

use std::borrow::Cow;
use std::collections::BTreeMap;

use aileron_capability::foreign::{CapabilityShape, HostFault, LogLevel};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

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
#[derive(Debug, Deserialize)]
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
    Request(Request),
    Log(LogLine),
    Note {
        event: String,
        details: Value,
    },
    Progress(Value),
    /// A piece of the result.
    Partial(Value),
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

/// The members by which a message is told apart.
#[derive(Deserialize)]
struct Header<'a> {
    #[serde(rename = "type", borrow)]
    kind: Cow<'a, str>,
    #[serde(default, borrow)]
    id: Option<Cow<'a, str>>,
}

#[derive(Deserialize)]
struct NoteBody {
    event: String,
    #[serde(default)]
    details: Value,
}

#[derive(Deserialize)]
struct UpdateBody {
    #[serde(default)]
    update: Value,
}

#[derive(Deserialize)]
struct PartialBody {
    #[serde(default)]
    data: Value,
}

#[derive(Deserialize)]
struct RetireBody {
    reason: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct DoneBody<'a> {
    #[serde(default, borrow)]
    result: Option<&'a RawValue>,
    #[serde(default)]
    fault: Option<Value>,
    #[serde(default)]
    too_large: bool,
}

/// Reads one line of a worker.
pub(crate) fn decode(line: &[u8]) -> Result<FromWorker, String> {
    let text = std::str::from_utf8(line).map_err(|_| "a line that is no UTF-8".to_owned())?;
    let header: Header<'_> = read(text)?;
    let id = || header.id.as_deref().map(str::to_owned).ok_or("a message of a call without its id");
    Ok(match &*header.kind {
        "request" => FromWorker::Call(id()?, CallMessage::Request(read(text)?)),
        "done" => FromWorker::Call(id()?, CallMessage::Done(read::<DoneBody<'_>>(text)?.end())),
        "log" => FromWorker::Call(id()?, CallMessage::Log(read(text)?)),
        "note" => {
            let NoteBody { event, details } = read(text)?;
            FromWorker::Call(id()?, CallMessage::Note { event, details })
        }
        "progress" => {
            FromWorker::Call(id()?, CallMessage::Progress(read::<UpdateBody>(text)?.update))
        }
        "partial" => FromWorker::Call(id()?, CallMessage::Partial(read::<PartialBody>(text)?.data)),
        "loaded" => FromWorker::Loaded(read(text)?),
        "hello" => FromWorker::Hello(read(text)?),
        "pong" => FromWorker::Pong,
        "retire" => FromWorker::Retire(read::<RetireBody>(text)?.reason),
        other => return Err(format!("a message of the unknown type `{other}`")),
    })
}

fn read<'a, T: Deserialize<'a>>(text: &'a str) -> Result<T, String> {
    serde_json::from_str(text).map_err(|error| format!("a line that is no message: {error}"))
}

impl DoneBody<'_> {
    /// A result that is nested too deeply for the parser is a fault of the handler, not of the
    /// protocol.
    fn end(self) -> CallEnd {
        let Self { result, fault, too_large } = self;
        if too_large {
            return CallEnd::TooLarge;
        }
        if let Some(fault) = fault {
            return CallEnd::Fault(fault);
        }
        let text = result.map_or("null", RawValue::get);
        serde_json::from_str(text)
            .map_or_else(|error| CallEnd::Unreadable(error.to_string()), CallEnd::Result)
    }
}
