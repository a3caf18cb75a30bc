//! Tokens and errors of models, by mode.

use aileron_contract::Mode;

use super::figure::Counter;

/// Figures of the models of a server.
#[derive(Debug, Default)]
pub struct ModelFigures {
    pub text: ModeFigures,
    pub voice: ModeFigures,
}

/// Figures of the models of one mode.
#[derive(Debug, Default)]
pub struct ModeFigures {
    /// Tokens as providers count them.
    pub tokens_in: Counter,
    pub tokens_out: Counter,
    /// Requests that a provider did not answer, and faults that it reported.
    pub errors: Counter,
}

impl ModelFigures {
    pub fn of(&self, mode: Mode) -> &ModeFigures {
        match mode {
            Mode::Text => &self.text,
            Mode::Voice => &self.voice,
        }
    }
}
