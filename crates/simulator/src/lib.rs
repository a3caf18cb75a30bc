//! Providers in a box: the server side of the protocols that agents talk, with
//! nobody behind it but a script or a set of rules.
//!
//! Strict about what clients send, and able to misbehave on demand as the real ones do. It knows
//! nothing of the pipeline, of policies and of our own server.

mod anthropic;
mod audio;
pub mod brain;
pub mod control;
mod delivery;
mod ears;
pub mod fault;
mod gemini;
mod gemini_live;
pub mod http;
mod ids;
mod live;
mod openai;
mod openai_realtime;
mod png;
pub mod puppet;
mod script;
mod server;
mod sessions;
pub mod speech;
mod sse;

pub use brain::{Brain, Rules};
pub use control::{Control, NotConnected, Seen, Sighting};
pub use ears::Coding;
pub use fault::Fault;
pub use live::Pace;
pub use puppet::{Hand, Puppet};
pub use script::ScriptBrain;
pub use server::{BeginError, Frames, Options, Running, Simulator, Tls};
pub use speech::{Sound, Spoken, Voice};
