//! OpenAI Realtime, the server's side.
//!
//! It answers an invalid event with an `error` event that names the client's event; the session
//! continues.

mod config;
mod map;
mod session;
mod wire;

pub(crate) use session::OpenaiRealtime;
