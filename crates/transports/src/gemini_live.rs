//! Gemini Live: `BidiGenerateContent` over a WebSocket.

mod fault;
mod map;
mod settings;
mod wire;

pub use map::GeminiLive;
pub use settings::{CallBehaviour, Scheduling, Settings, TextChannel};
