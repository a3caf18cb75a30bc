//! Conversation scripts: the language in which conversations are written down, read.
//!
//! `crates/orchestrator/tests/conversations/README.md` says how they are written. What becomes of a
//! step is left to those who run them: the pipeline's tests, and the model in the box.

mod parse;
mod script;

pub use parse::{Unreadable, parse};
pub use script::{Call, Claim, Expected, Person, Question, Report, Script, Step, Tools, What};
