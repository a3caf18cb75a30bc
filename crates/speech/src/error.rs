//! Why speech cannot be used.

use std::fmt;

use aileron_models::ReadError;

/// Why speech cannot be used, or a piece of it failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SpeechError {
    /// A file of weights is missing or is not the known one.
    Weights(ReadError),
    /// A network could not be loaded or run.
    Network { file: &'static str, why: String },
    /// As many callers as this machine can carry are being served.
    Full { callers: usize },
}

impl SpeechError {
    pub(crate) fn run(file: &'static str, why: impl fmt::Display) -> Self {
        Self::Network { file, why: why.to_string() }
    }
}

impl fmt::Display for SpeechError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Weights(error) => write!(f, "{error}; run `aileron models fetch speech`"),
            Self::Network { file, why } => write!(f, "{file} cannot be run: {why}"),
            Self::Full { callers } => write!(
                f,
                "expected fewer than {callers} callers, found {callers}, which is as many as this machine can hear \
                 and answer in time; try again when one has left"
            ),
        }
    }
}

impl std::error::Error for SpeechError {}
