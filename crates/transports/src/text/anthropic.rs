//! Anthropic's Messages API, as an event stream.

mod endpoint;
mod fault;
mod map;
mod settings;
mod wire;

pub(super) use map::Anthropic;
pub use settings::{AnthropicOptions, Auth};

/// The name under which its messages are stored.
pub const NAME: &str = "anthropic";
