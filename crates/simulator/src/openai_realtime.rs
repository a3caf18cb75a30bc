//! OpenAI Realtime, the server's side.
//!
//! What it does not take, it answers with an `error` event that names the client's event; the
//! session goes on.

mod config;
mod map;
mod session;
mod wire;

pub(crate) use session::OpenaiRealtime;
