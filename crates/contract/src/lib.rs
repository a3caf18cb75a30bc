//! Types that all crates share.
//!
//! Ids, modes, tool specs, calls, the response envelope, the error table, intents, the artifact
//! format, audit records, records of the knowledge base, the transport contracts (live in
//! `transport`, text in `text`), backoff, canonical JSON (RFC 8785) and hashes. Values in, values
//! out: this crate uses no files, clocks, sockets, async runtimes or provider protocols.

pub mod arguments;
pub mod artifact;
pub mod audit;
pub mod backoff;
pub mod call;
pub mod canonical;
pub mod capability;
pub mod condition;
pub mod envelope;
pub mod error;
pub mod hash;
pub mod id;
pub mod intent;
pub mod kb;
pub mod mode;
pub mod model_input;
pub mod models;
pub mod provider;
pub mod redact;
pub mod spec;
pub mod task;
pub mod text;
pub mod tokens;
pub mod transport;

pub use arguments::Arguments;
pub use artifact::{
    Artifact, ArtifactError, ArtifactTool, Handler, LeftOutTool, Packages, WorkerCode,
};
pub use audit::{AuditEntry, AuditRecord, Outcome};
pub use backoff::{Backoff, Jitter};
pub use call::ToolCall;
pub use capability::{Capability, UnknownCapability};
pub use envelope::{Failure, Meta, ToolResponse};
pub use error::ErrorType;
pub use hash::ContentHash;
pub use id::{CallId, ConversationId, IdError, ToolId, UserId};
pub use intent::Intent;
pub use mode::{Mode, Modes};
pub use provider::Provider;
pub use spec::{Execution, HandlerRuntime, ToolSpec};
pub use task::{TaskMeta, TaskStatus};
