//! OpenAI Realtime, as generally available, over a WebSocket.

mod endpoint;
mod fault;
mod map;
mod settings;
mod wire;

pub use endpoint::target;
pub use map::OpenaiRealtime;
pub use settings::{OpenaiRealtimeOptions, ParallelCalls, VoiceDetector};
