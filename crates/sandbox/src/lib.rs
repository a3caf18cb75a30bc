//! The sandbox in which a tool's JavaScript runs: QuickJS on threads of its own with a watchdog, or in
//! worker processes, with limits on memory, CPU and time. `bridge` makes it the engine of handlers.

mod bridge;
mod builtin;
mod caught;
mod desk;
mod engine;
mod fault;
mod gate;
mod host;
mod instance;
mod json;
mod limits;
mod natives;
mod normalize;
mod options;
mod order;
mod process;
mod processor;
mod program;
mod quarantine;
mod script;
mod sources;
mod threads;
mod trial;
pub mod worker;

pub use engine::Engine;
pub use fault::{EngineError, Fault, LoadError, Thrown, Uncaught};
pub use host::{Call, CapabilityShape, Host, HostFault, LogLevel};
pub use limits::Limits;
pub use options::{Isolation, Options};
pub use script::Script;
pub use sources::Sources;
