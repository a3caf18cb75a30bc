//! One provider connection each: what a live voice protocol says, in the words
//! of the transport contract and back; under `text`, the same for models that write.
//!
//! Every provider has the same files: `wire` (the messages as they are sent), `map` (between them
//! and the contract), `fault` (what each error means), `settings` (what only that provider has).
//! It knows nothing of tools, policies and our own server.

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
