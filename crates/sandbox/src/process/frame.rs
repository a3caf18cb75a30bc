//! The frames between an engine and its worker processes: a length, then JSON.

use aileron_capability::foreign::{HandlerFault, HostFault, LogLevel};
use std::io::{self, Read, Write};
use std::time::Duration;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio::io::{AsyncRead, AsyncReadExt};

use crate::fault::LoadError;
use crate::limits::SandboxLimits;
use crate::sources::Sources;

/// A message of the engine.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum ToWorker {
    /// Always the first message, and sent once: a worker runs one tool.
    Load(WorkerTool),
    Call(WorkerRequest),
    /// Answers a `MethodRequest`.
    Reply {
        id: u32,
        answer: Result<Value, HostFault>,
    },
    /// Answers a `Sync` or a `Now`, on which the sandbox blocks.
    Answer(Result<Value, HostFault>),
    /// Ends the call.
    Stop,
}

/// A tool and the limits it runs in.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct WorkerTool {
    pub(crate) sources: Sources,
    pub(crate) limits: SandboxLimits,
    pub(crate) grace: Duration,
}

/// One call.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct WorkerRequest {
    /// JSON text of `{ args, context }`.
    pub(crate) input: String,
    pub(crate) time_left: Duration,
}

/// The parts of a `WorkerRequest`'s input.
#[derive(Debug, Deserialize)]
pub(crate) struct WorkerInput {
    pub(crate) args: Value,
    pub(crate) context: Value,
}

/// A message of the worker.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum FromWorker {
    /// The process is a worker.
    Ready,
    Loaded(Result<(), LoadError>),
    Request {
        id: u32,
        capability: String,
        method: String,
        args: Vec<Value>,
    },
    Sync {
        capability: String,
        method: String,
        args: Vec<Value>,
    },
    Now,
    Log {
        level: LogLevel,
        text: String,
    },
    Progress(Value),
    Partial(Value),
    /// The call is over. A worker that is not `usable` has a thread that is stuck.
    Done {
        outcome: Result<Value, HandlerFault>,
        usable: bool,
    },
}

/// The bytes of a frame.
pub(crate) fn encode(message: &impl Serialize) -> io::Result<Vec<u8>> {
    let mut frame = vec![0; 4];
    serde_json::to_writer(&mut frame, message)?;
    let length = u32::try_from(frame.len() - 4).map_err(io::Error::other)?;
    frame.splice(..4, length.to_le_bytes());
    Ok(frame)
}

/// Reads a frame of at most `longest` bytes from a process that is not trusted.
pub(crate) async fn receive<T: DeserializeOwned>(
    from: &mut (impl AsyncRead + Unpin),
    longest: usize,
) -> io::Result<T> {
    let mut length = [0; 4];
    from.read_exact(&mut length).await?;
    let mut frame = vec![0; checked(length, longest)?];
    from.read_exact(&mut frame).await?;
    Ok(serde_json::from_slice(&frame)?)
}

/// Reads a frame from the engine.
pub(crate) fn read<T: DeserializeOwned>(from: &mut impl Read) -> io::Result<T> {
    let mut length = [0; 4];
    from.read_exact(&mut length)?;
    let mut frame = vec![0; checked(length, usize::MAX)?];
    from.read_exact(&mut frame)?;
    Ok(serde_json::from_slice(&frame)?)
}

/// Writes a frame to the engine.
pub(crate) fn write(to: &mut impl Write, message: &impl Serialize) -> io::Result<()> {
    to.write_all(&encode(message)?)?;
    to.flush()
}

fn checked(length: [u8; 4], longest: usize) -> io::Result<usize> {
    let length = usize::try_from(u32::from_le_bytes(length)).map_err(io::Error::other)?;
    if length > longest {
        return Err(io::Error::other("the frame is too long"));
    }
    Ok(length)
}
