//! Chat Completions, as OpenAI and many servers of open models have it, over
//! events. Servers differ in what they leave out, so little is asked of them.

mod endpoint;
mod fault;
mod map;
mod settings;
mod wire;

pub(super) use map::OpenaiChat;
pub use settings::{LastStepRule, LengthField, OpenaiChatOptions, ReasoningReplay, UsageChunk};

/// The name its messages are kept under.
pub const NAME: &str = "openai_chat";
