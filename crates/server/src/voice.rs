//! Voice: connects a person's microphone and loudspeaker with a live provider.
//!
//! `accept` takes a connection, `session` is the task that runs it, `session_logic` decides what follows from
//! each input. The conversation decides about calls; the transports crate speaks the providers' protocols.

mod accept;
mod client;
mod context_window;
mod conversation_queue;
mod keepalive;
mod limits;
mod message_rate_limit;
mod outbox;
mod poll_on_wake;
mod protocol;
mod providers;
#[cfg(test)]
mod samples;
mod service;
mod session;
mod session_logic;
mod sessions;
mod threads;

pub(crate) use self::accept::routes;
pub(crate) use self::context_window::{json_chars, tokens};
pub use self::limits::VoiceSessionLimits;
pub(crate) use self::protocol::REASONS;
pub use self::protocol::check_message;
pub use self::providers::{ApiKey, Provider, Providers, ProvidersError, VoiceProvider};
pub use self::service::Voice;
