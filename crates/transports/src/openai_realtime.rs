//! OpenAI Realtime, as generally available, over a WebSocket.

mod fault;
mod map;
mod settings;
mod wire;

pub use map::OpenaiRealtime;
pub use settings::{ParallelCalls, Settings, VoiceDetector};
