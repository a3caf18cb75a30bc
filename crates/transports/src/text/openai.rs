//! OpenAI's Responses, over events. Nothing is kept by the provider: the whole
//! conversation goes with every request.

mod endpoint;
mod fault;
mod map;
mod settings;
mod wire;

pub(super) use map::Openai;
pub use settings::{OpenaiOptions, ReasoningItems};

/// The name its messages are kept under.
pub const NAME: &str = "openai";
