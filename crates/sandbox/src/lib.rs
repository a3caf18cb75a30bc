//! Runs JavaScript handlers in QuickJS, with limits on memory, CPU and wall time, and only with the
//! capabilities of the host.
//!
//! Each call runs in a fresh runtime that was prepared in advance, on a dedicated thread with a
//! watchdog, or in a worker process; nested calls get additional workers. The engine checks its
//! interrupt handler only once in ten thousand jumps, so built-ins that iterate over long texts or
//! lists count their steps (`sandbox/guard.js`). A thread that is blocked all the same is replaced,
//! and its tool is quarantined for the caller (`quarantine`); a worker process is killed instead.
//! When a toolset is loaded, the top level of many tools runs in one sandbox with frozen built-ins
//! (`trial`). `bridge` connects this engine with the runtime.

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
