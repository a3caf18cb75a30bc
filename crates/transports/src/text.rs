//! Text models: an HTTP request, and a reply in pieces, mapped to the text contract.
//!
//! Every provider has the same files: `wire` (the messages), `map` (between them and the contract), `fault`
//! (the table of errors), `settings` (options of that provider), `endpoint` (its URL). Retries, limits and
//! event framing are shared.

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
