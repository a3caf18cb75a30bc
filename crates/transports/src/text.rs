//! Models that write: a request over HTTP, a reply in pieces, in the words of
//! the text contract.
//!
//! Every provider has the same files: `wire` (what is sent, as it is sent), `map` (between it and the
//! contract), `fault` (what each error means), `settings` (what only that provider has), `endpoint`
//! (where it is reached). Retries, limits and the framing of events are the same for all.

mod answering;
pub mod anthropic;
mod assembly;
mod attempt;
mod call_ids;
mod connection;
mod decode;
mod endpoint;
mod fault;
pub mod gemini;
mod history;
mod model;
pub mod openai;
pub mod openai_chat;
mod options;
mod protocol;
mod retry;
#[cfg(test)]
mod samples;
mod sse;
#[cfg(test)]
mod tests;

pub use attempt::HttpReplyStream;
pub use endpoint::TextError;
pub use model::TextModel;
pub use options::{ApiKey, ByteLimits, Reasoning, Retries, TextOptions, TextProvider, Timeouts};
