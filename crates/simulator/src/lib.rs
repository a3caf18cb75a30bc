//! Simulated providers: the server side of the provider protocols, with a scripted or rule-driven
//! model.
//!
//! A `brain` decides what the model does, as a function of its input: a function such as the
//! offline rules (`Rules`), a script (`script`), or a test that controls it step by step
//! (`puppet`). The protocols validate client messages as strictly as the real providers. `server`
//! has the addresses, the certificate and the router. This crate does not know the pipeline, the
//! policies or our transports, which only its tests use.
//!
//! - A live protocol has `wire` (client messages; unknown ones are refused with the provider's own
//!   error), `map` (pure) and `session` (the state of the exchange). `live/connection` drives it,
//!   with the socket, the faults (`fault`, one table) and the `control` through which tests trigger
//!   provider events and read client messages. `delivery` splits the model's output into chunks
//!   that can be interrupted. `ears` detects speech by volume; `speech` is the extension point for
//!   speech recognition and synthesis; `sessions` keeps resumable sessions.
//! - `http` serves the text protocols `gemini`, `openai` (Responses, Chat Completions, images) and
//!   `anthropic`. Each is a `Dialect`: it parses a request or refuses it in the provider's own
//!   format, and writes a reply as events or as one body. Each has `wire`, `map` and `history` (the
//!   rules for a valid conversation). `sse` frames events; `http/faults` lists the faults.

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
