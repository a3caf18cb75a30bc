//! Handlers in another language than Rust: the context of a call crosses to them as data and named
//! methods, their result comes back as JSON. The sandbox and the worker processes share this.

mod context_data;
mod context_host;
mod ending;
mod fault;
mod host;
pub mod javascript;
mod records;
mod shape;
mod thrown;

pub use context_data::context_data;
pub use context_host::ContextHost;
pub use ending::{EffectCount, ending};
pub use fault::{HandlerFault, ThrownToolError, UncaughtFault, WorkerEnd};
pub use host::{CapabilityShape, Host, HostFault, LogLevel, contained};
pub use shape::shapes;
pub use thrown::{joined, thrown_fault};

/// The `type` of each intent.
pub const INTENT_TYPES: [&str; 6] = [
    "END_VOICE_SESSION",
    "START_VOICE_SESSION",
    "SUPPRESS_AUDIO",
    "SUPPRESS_TRANSCRIPT",
    "SET_PENDING_MESSAGE",
    "BLOCK_USER",
];
