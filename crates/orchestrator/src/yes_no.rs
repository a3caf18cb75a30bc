//! Reads the person's answer to a confirmation: yes, no, or neither.
//!
//! Made to be wrong in one direction only. A yes is an utterance that consists
//! of yes-phrases and fillers from end to end; one word that the grammar does
//! not know, and it is none. Another language is another file of phrases.

mod grammar;
mod retraction;
mod retraction_phrases;
mod words;

pub use self::grammar::{Grammar, GrammarError, YesNo};
pub(crate) use self::retraction::{Certainty, Reach, Retraction};
