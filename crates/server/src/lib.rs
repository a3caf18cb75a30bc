//! HTTP and WebSocket around the pipeline: voice, chat, and the API for agents that run elsewhere.
//! It decides nothing about a call.
//!
//! - `listen` accepts connections and stops gracefully; `listen/linger` reads the rest of a request
//!   that was answered early, because closing a socket with unread data would reset it and lose the
//!   answer.
//! - `door` checks every request: host and origin (`origins`), authentication (`auth`), rate and
//!   size limits (`limits`).
//! - `conversations` holds leases, so that a conversation in use stays in memory and an idle one is
//!   unloaded.
//! - `api` is the HTTP API; `operations` has one list from which the routes and `/openapi.json` are
//!   built. `error` is the one format of refused requests.
//! - `chat` implements the UI message stream: `request` reads only the last message of the front
//!   end, `encode` converts events to chunks, `live` buffers an answer for all its readers, so that
//!   an interrupted stream resumes and a slow reader delays nobody.
//! - `hub` sends the events of a conversation to its subscribers, and defects of tools to the log.
//!   `metrics` counts them for `/metrics`.
//! - `voice` connects a person, a live provider and a conversation. `voice/door` accepts a client.
//!   `voice/session` is one task that waits for the next input. `voice/bridge` is pure: inputs of
//!   the client (`person`), of the provider (`provider`) and of the conversation (`gate`) in,
//!   actions out. Its parts have one rule each: `floor` assigns transcripts to turns, `playback`
//!   estimates the played audio, `lull` detects a missing reply, `microphone` tracks the
//!   microphone, `repeats` recognises calls that an earlier connection issued, `fillers` speaks
//!   while a tool runs, `ending` ends a session. `voice/lane` queues operations on the conversation
//!   and runs calls in tasks; `voice/outbox` drops old audio before any message; `voice/context`
//!   estimates the context window.

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
