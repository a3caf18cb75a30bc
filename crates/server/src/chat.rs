//! Chat: the stream that chat front ends read, and the requests they send.
//!
//! A front end sends its whole history; the server reads only the last message. Earlier messages, answers to
//! regenerate and confirmations to resolve come from the server's own store.

mod active_streams;
mod chunk;
mod encode;
mod message;
mod meter;
mod options;
mod path;
mod request;
mod respond;
mod routes;
mod service;
mod tracer;

pub use self::options::ChatOptions;
pub(crate) use self::path::is_chat;
pub(crate) use self::routes::routes;
pub use self::service::Chat;
