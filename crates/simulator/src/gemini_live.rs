//! Gemini Live, the server's side: `BidiGenerateContent` over a WebSocket.
//!
//! It sends no error frames: it answers an invalid message by closing the connection with a code
//! and a reason.

mod contract;
mod map;
mod schema;
mod session;
mod spelling;
mod wire;

pub(crate) use session::GeminiLive;
