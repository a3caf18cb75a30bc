//! Simulated providers: the server side of the provider protocols, with a scripted or rule-driven
//! model.
//!
//! A `simulated_model` decides what the model does, as a function of its input: a function such as the
//! offline rules (`Rules`), a script (`script`), or a test that controls it step by step
//! (`manual_model`). The protocols validate client messages as strictly as the real providers. `server`
//! has the addresses, the certificate and the router. This crate does not know the pipeline, the
//! policies or our transports, which only its tests use.
//!
//! - A live protocol has `wire` (client messages; unknown ones are refused with the provider's own
//!   error), `map` (pure) and `session` (the state of the exchange). `live/connection` drives it,
//!   with the socket, the faults (`fault`, one table) and the `control` through which tests trigger
//!   provider events and read client messages. `delivery` splits the model's output into chunks
//!   that can be interrupted. `vad` detects speech by volume; `speech` is the extension point for
//!   speech recognition and synthesis; `sessions` keeps resumable sessions.
//! - `http` serves the text protocols `gemini`, `openai` (Responses, Chat Completions, images) and
//!   `anthropic`. Each is a `HttpProtocol`: it parses a request or refuses it in the provider's own
//!   format, and writes a reply as events or as one body. Each has `wire`, `map` and `history` (the
//!   rules for a valid conversation). `sse` frames events; `http/faults` lists the faults.

mod anthropic;
mod audio;
pub mod control;
mod delivery;
pub mod fault;
mod gemini;
mod gemini_live;
pub mod http;
mod ids;
mod live;
pub mod manual_model;
mod openai;
mod openai_live;
mod openai_realtime;
mod png;
mod script;
mod server;
mod sessions;
pub mod simulated_model;
pub mod speech;
mod sse;
mod vad;

pub use control::{Control, NotConnected, Observed, ObservedEvent};
pub use fault::InjectedFault;
pub use live::SpeechPace;
pub use manual_model::{ManualModel, ManualModelHandle};
pub use script::ScriptBrain;
pub use server::{BeginError, Frames, Options, RunningSimulator, Simulator, Tls};
pub use simulated_model::{Rules, SimulatedModel};
pub use speech::{SpokenPiece, Synthesizer, UtteranceAudio};
pub use vad::AudioCoding;
