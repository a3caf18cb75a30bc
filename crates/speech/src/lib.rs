//! Local speech: a voice without a network. It hears (`vad`, `stt`, `listener`), decides when a person has
//! finished (`turn`), and speaks (`spoken`, `tts`). English only.
//!
//! The networks are loaded once ([`Engine`]) from weights that `aileron models fetch speech` puts in place, and
//! are shared by all callers. Everything here blocks; [`Ear`] and [`Mouth`] run it on threads of their own and
//! report through a callback. Sockets, conversations and models of language are left to other crates.

pub mod audio;
mod ear;
mod engine;
mod error;
mod fft;
mod listener;
mod network;
pub mod spoken;
pub mod stt;
pub mod tts;
pub mod turn;
mod vad;

pub use ear::{Ear, Mouth, Spoken};
pub use engine::{CallerPermit, Engine, SpeechOptions};
pub use error::SpeechError;
pub use listener::{Heard, Listener};
