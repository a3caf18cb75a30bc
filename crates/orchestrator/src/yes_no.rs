//! Reads the person's answer to a confirmation: yes, no, or neither.
//!
//! Errs in one direction only. A yes is an utterance that consists of yes-phrases and fillers from
//! end to end; with a single word that the grammar does not know, it is not a yes. Another language
//! is another file of phrases.

mod grammar;
mod retraction;
mod retraction_phrases;
mod words;

pub use self::grammar::{Grammar, GrammarError, YesNo};
pub(crate) use self::retraction::{Certainty, Reach, Retraction};
