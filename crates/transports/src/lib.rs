//! The client side of the provider protocols: live voice protocols here, text protocols under
//! `text`. It knows no tools, policies or conversations, and the core asks for `Capabilities`,
//! never for the provider.
//!
//! **Live.** A protocol maps commands to frames, and frames to events of the transport contract
//! (`contract/src/transport`). Each provider has the same files: `wire` (the messages; audio is
//! borrowed and never escaped), `map` (pure, with the state that the protocol requires), `fault`
//! (one table of errors and close codes), `settings` (options of that provider), `endpoint` (its
//! URL). An invalid frame is an error that names the expected message, and changes nothing.
//!
//! - `calls` ensures that a call is reported once and answered once; a result for another
//!   connection is sent as text.
//! - `session` is one conversation with a provider over several connections: pure, it decides when
//!   to connect, when to drain, which inputs to re-send and when to give up. `upstream` drives it
//!   with sockets (`socket`, plain or TLS), timers and randomness.
//! - `outbox` drops old audio before anything else; `spoken_words` estimates the played words of a
//!   reply; `resample` converts 16 kHz to 24 kHz.
//! - `websocket` is our own WebSocket implementation, for both ends of a voice session: one task
//!   handles both directions of a socket without copying messages, which saves a sixth of the cost
//!   of an audio frame. Its buffers belong to the thread (`websocket/spare`), so an idle connection
//!   has none. Tests connect it with a library's implementation.
//!
//! **Text.** One folder per provider maps the text contract (`contract/src/text`) to requests. A
//! request carries the whole conversation. `history` brings any conversation into an order that
//! every provider accepts: each call followed by its result, no empty turns, the model neither
//! first nor last. `map/send` writes the provider's own earlier messages unchanged, because parts
//! of them are signed, and rebuilds those of other providers. A reply passes `attempt` (attempts,
//! timeouts, cancellation by dropping), `decode` (size limits), `sse` (framing), `map/receive`
//! (events of the provider) and `assembly` (text and calls in order). `retry` repeats a request only
//! if no part of its reply was passed on, and only for faults that the provider's table marks as
//! transient. `call_ids` gives every call of a conversation a unique id.

mod answer;
mod audio;
mod calls;
mod close;
pub mod gemini_live;
mod lenient;
pub mod openai_realtime;
mod outbox;
mod phase;
pub mod resample;
#[cfg(test)]
mod samples;
pub mod session;
mod socket;
mod spoken_words;
mod target;
pub mod text;
pub mod upstream;
pub mod websocket;

pub use answer::{earlier_words, model_view};
pub use gemini_live::GeminiLive;
pub use openai_realtime::OpenaiRealtime;
pub use socket::{tls, trusted_tls};
pub use target::{Target, TargetError};
pub use text::{TextModel, TextOptions, TextProvider};
