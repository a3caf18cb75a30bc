//! Anthropic's Messages, over events.

mod endpoint;
mod fault;
mod map;
mod settings;
mod wire;

pub(super) use map::Anthropic;
pub use settings::{AnthropicOptions, Auth};

/// The name its messages are kept under.
pub const NAME: &str = "anthropic";
