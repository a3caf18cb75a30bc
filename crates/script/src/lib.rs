//! Conversation scripts as plain data: the person, the behaviour that a script covers, its steps
//! and their expectations.
//!
//! `crates/orchestrator/tests/conversations/README.md` describes the language. The tests of the
//! pipeline and the simulated model execute the steps.

mod parse;
mod script;

pub use parse::{Unreadable, parse};
pub use script::{Call, Claim, Expected, Person, Question, Report, Script, Step, Tools, What};
