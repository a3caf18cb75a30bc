//! The figures of what models are given, in voice and in text.

use super::figure::Histogram;

/// How much models are given, in estimated tokens.
#[derive(Debug, Default)]
pub struct ContextFigures {
    /// At the beginning of each conversation in text and of each voice session: instructions,
    /// declarations and the history so far.
    pub start_tokens: Histogram,
    /// Of each result of a call.
    pub result_tokens: Histogram,
    /// The most of each turn in text and of each voice session.
    pub peak_tokens: Histogram,
}
