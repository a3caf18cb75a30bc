//! Chat Completions, as offered by OpenAI and by many servers of open models, as an event stream. Servers
//! differ in the fields they omit, so few are required.

mod endpoint;
mod fault;
mod map;
mod settings;
mod wire;

pub(super) use map::OpenaiChat;
pub use settings::{LastStepRule, LengthField, OpenaiChatOptions, ReasoningReplay, UsageChunk};

/// The name under which its messages are stored.
pub const NAME: &str = "openai_chat";
