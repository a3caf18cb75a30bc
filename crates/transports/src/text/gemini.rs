//! Gemini's `streamGenerateContent`, as an event stream.

mod endpoint;
mod fault;
mod map;
mod settings;
mod wire;

pub(super) use map::Gemini;
pub use settings::{GeminiOptions, Thoughts};

/// The name under which its messages are stored.
pub const NAME: &str = "gemini";
