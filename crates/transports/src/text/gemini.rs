//! Gemini's `streamGenerateContent`, over events.

mod endpoint;
mod fault;
mod map;
mod settings;
mod wire;

pub(super) use map::Gemini;
pub use settings::{GeminiOptions, Thoughts};

/// The name its messages are kept under.
pub const NAME: &str = "gemini";
