//! JSON Schema 2020-12: validates a value, lists every fault with our message, and fills in
//! defaults.
//!
//! - A schema of common keywords is compiled to a plan (`plan`), which lists faults several times
//!   as fast. Any other schema is validated by the `jsonschema` crate. Only this crate uses it,
//!   because its generic code is slow to compile. A differential test checks that both give the
//!   same faults.
//! - `pattern` is ECMA-262 with the `u` flag: parsed as ECMAScript, then translated to the
//!   linear-time `regex` crate, or to a backtracking engine with a step limit if it uses
//!   look-around or back-references. A table recorded from Node checks it.
//!
//! This crate does not know tools; other crates decide what a schema may contain.

mod defaults;
mod expected;
mod fault;
mod faults;
mod form;
mod found;
mod keys;
pub mod pattern;
mod place;
mod plan;
mod present;
pub mod uri;
mod validator;

pub use fault::{FaultKind, SchemaFault, UnknownProperties};
pub use faults::Faults;
pub use form::CompiledSchema;
pub use validator::{SchemaError, Validator};
