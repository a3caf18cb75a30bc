//! Gemini Live: `BidiGenerateContent` over a WebSocket.

mod endpoint;
mod fault;
mod map;
mod settings;
mod wire;

pub use endpoint::target;
pub use map::GeminiLive;
pub use settings::{CallBehaviour, GeminiLiveOptions, Scheduling, TextChannel};
