//! HTTP and WebSocket around the pipeline: voice, chat, and the API for agents that run elsewhere.
//! It decides nothing about a call.
//!
//! - `listen` accepts connections and stops gracefully; `listen/linger` reads the rest of a request
//!   that was answered early, because closing a socket with unread data would reset it and lose the
//!   answer.
//! - `request_checks` checks every request: host and origin (`origins`), authentication (`auth`), rate and
//!   size limits (`limits`).
//! - `conversations` holds leases, so that a conversation in use stays in memory and an idle one is
//!   unloaded.
//! - `api` is the HTTP API; `operations` has one list from which the routes and `/openapi.json` are
//!   built. `error` is the one format of refused requests.
//! - `chat` implements the UI message stream: `request` reads only the last message of the front
//!   end, `encode` converts events to chunks, `active_streams` buffers an answer for all its readers, so that
//!   an interrupted stream resumes and a slow reader delays nobody.
//! - `page` answers browsers with the files of the page.
//! - `event_hub` sends the events of a conversation to its subscribers, defects of tools to the log, and keeps
//!   the newest events of all conversations for the event stream. `turn_traces` keeps the course of the newest
//!   turns. `metrics` counts events for `/metrics`, in bounded space, and gives them to the crate `telemetry`.
//! - `role` says what a caller sees and may do. `authoring` is what tool authors need and the command provides.
//! - `registry_source` offers other registries and rules while the server runs; `pinned_counts` counts the
//!   conversations of each.
//! - `voice` connects a person, a live provider and a conversation. `voice/accept` accepts a client.
//!   `voice/session` is one task that waits for the next input. `voice/session_logic` is pure: inputs of
//!   the client (`client_input`), of the provider (`provider`) and of the conversation (`conversation_output`) in,
//!   actions out. Its parts have one rule each: `turn_tracker` assigns transcripts to turns, `playback`
//!   estimates the played audio, `reply_timeout` detects a missing reply, `microphone` tracks the
//!   microphone, `calls` is the registry of the session's calls (duplicates after a reconnect, fillers, open
//!   results), `ending` ends a session. `voice/conversation_queue` queues operations on the conversation
//!   and runs calls in tasks; `voice/outbox` drops old audio before any message; `voice/context_window`
//!   estimates the context window.

mod api;
mod app;
mod auth;
mod authoring;
mod chat;
mod content_type;
mod conversations;
mod entity_tag;
mod error;
mod event_hub;
mod limits;
mod listen;
mod metrics;
mod object;
mod origins;
mod page;
mod paths;
mod pinned_counts;
mod refusal_format;
mod registry_source;
mod request_checks;
mod role;
mod task_recovery;
mod turn_traces;
pub mod voice;

pub use api::IMAGES;
pub use app::{App, ServerParts};
pub use auth::{Auth, AuthError, Jwks, Jwt, JwtKeys, JwtRules, Tokens, TokensError};
pub use authoring::{Authoring, ChangeKind, RegistryChange, SaveCaseError};
pub use chat::{Chat, ChatOptions};
pub use conversations::{Conversations, Lease, NotOpened};
pub use error::{ApiError, ApiErrorCode};
pub use event_hub::{EventHub, Subscription};
pub use limits::RequestLimits;
pub use listen::{ShutdownReport, router, serve};
pub use metrics::{
    CallMetrics, ContextFigures, ContextStart, Counter, Histogram, MeteredObserver, Metrics,
    ModelFigures, ServerMetrics, SessionFigures, VoiceMetrics,
};
pub use origins::{AllowedHosts, Origins};
pub use registry_source::{LoadedOffer, RegistrySource, ReloadReport};
pub use request_checks::Caller;
