//! Token counts of model contexts, for voice and text.

use super::figure::Histogram;

/// Sizes of model contexts, in estimated tokens.
#[derive(Debug, Default)]
pub struct ContextFigures {
    /// At the start of each text conversation and of each voice session: instructions, declarations and
    /// history.
    pub start_tokens: Histogram,
    /// Of each result of a call.
    pub result_tokens: Histogram,
    /// The maximum of each text turn and of each voice session.
    pub peak_tokens: Histogram,
}
