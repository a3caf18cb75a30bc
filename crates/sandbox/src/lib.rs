//! Runs JavaScript handlers in QuickJS, with limits on memory, CPU and wall time, and only with the
//! capabilities of the host.
//!
//! Each call runs in a fresh runtime that was prepared in advance, on a dedicated thread with a
//! watchdog, or in a worker process; nested calls get additional workers. The engine checks its
//! interrupt handler only once in ten thousand jumps, so built-ins that iterate over long texts or
//! lists count their steps (`sandbox/guard.js`). A thread that is blocked all the same is replaced,
//! and its tool is quarantined for the caller (`quarantine`); a worker process is killed instead.
//! When a toolset is loaded, the top level of many tools runs in one sandbox with frozen built-ins
//! (`shared_load_test`). `js_handler` connects this engine with the runtime.

mod builtin;
mod call_request;
mod caught;
mod cpu_clock;
mod engine;
mod fault;
mod host_bridge;
mod instance;
mod interrupt;
mod js_handler;
mod json;
mod limits;
mod natives;
mod normalize;
mod options;
mod process;
mod program;
mod quarantine;
mod sandbox_call;
mod script;
mod shared_load_test;
mod sources;
mod threads;
pub mod worker;

pub use engine::JsEngine;
pub use fault::{EngineError, LoadError};
pub use limits::SandboxLimits;
pub use options::{Isolation, Options};
pub use sandbox_call::SandboxCall;
pub use script::Script;
pub use sources::Sources;
