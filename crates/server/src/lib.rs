//! HTTP and WebSocket around the pipeline: voice, chat, and the API for agents
//! that live elsewhere.
//!
//! It opens conversations for people it knows, carries what they say and what comes of it, and
//! decides nothing about a call.

mod api;
mod app;
mod auth;
mod chat;
mod hub;
mod listen;
mod voice;

pub use app::{App, Parts};
pub use auth::{Auth, Unknown};
pub use chat::{Chat, ChatOptions};
pub use hub::{Hub, Subscription};
pub use listen::{router, serve};
