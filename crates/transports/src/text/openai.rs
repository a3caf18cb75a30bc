//! OpenAI's Responses API, as an event stream. The provider stores nothing: every request contains the whole
//! conversation.

mod endpoint;
mod fault;
mod map;
mod settings;
mod wire;

pub(super) use map::Openai;
pub use settings::{OpenaiOptions, ReasoningItems};

/// The name under which its messages are stored.
pub const NAME: &str = "openai";
