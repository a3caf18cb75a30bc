//! JSON Schema 2020-12: validates a value and lists every fault in our own words.
//!
//! The one place that knows the `jsonschema` crate, whose generic code is
//! costly to compile. Most schemas are checked by a plan of our own instead, with the
//! same faults. It leaves to others what a schema may contain.

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

pub use fault::{Fault, FaultKind, Names};
pub use faults::Faults;
pub use form::Form;
pub use validator::{SchemaError, Validator};
