//! Conversation scripts as plain data: the person, the behaviour that a script covers, its steps
//! and their expectations.
//!
//! `crates/orchestrator/tests/conversations/README.md` describes the language. The tests of the
//! pipeline and the simulated model execute the steps.

mod parse;
mod script;

pub use parse::{ParseError, parse};
pub use script::{
    ConfirmationRef, ExpectedResult, Person, ProviderReport, Script, ScriptCall, ScriptClaim,
    ScriptStep, StepKind, Tools,
};
