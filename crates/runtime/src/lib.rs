//! Loads a registry and runs its tools: compiles schemas, validates arguments, binds handlers
//! (native ones by the hash of their sources) and runs them.
//!
//! `cases` reads a `cases.json`, creates its test doubles and lists differences of a response. This
//! crate knows no policy, no provider and no JavaScript engine.

pub mod cases;
mod registry;
mod tool;

pub use aileron_schema::{
    FaultKind as ArgumentFaultKind, Faults as ArgumentFaults, SchemaFault as ArgumentFault,
};
pub use registry::{LoadError, Registry, ToolFault};
pub use tool::{Handlers, RejectedArguments, Tool};
