//! HTTP and WebSocket around the pipeline: voice, chat, and the API for agents
//! that live elsewhere.
//!
//! It opens conversations for people it knows, carries what they say and what comes of it, and
//! decides nothing about a call.

mod api;
mod app;
mod auth;
mod chat;
mod content_type;
mod conversations;
mod door;
mod error;
mod form;
mod hub;
mod limits;
mod listen;
mod metrics;
mod object;
mod origins;
pub mod voice;

pub use api::IMAGES;
pub use app::{App, Parts};
pub use auth::{Auth, Jwks, Jwt, JwtKeys, JwtRules, Tokens, TokensError, Unknown};
pub use chat::{Chat, ChatOptions};
pub use conversations::{Lease, NotOpened};
pub use door::Caller;
pub use error::{ApiError, Code};
pub use hub::{Hub, Subscription};
pub use limits::Limits;
pub use listen::{Left, router, serve};
pub use metrics::{
    CallFigures, ContextFigures, Counter, Histogram, Metered, Metrics, VoiceFigures,
};
pub use origins::{Names, Origins};
