//! Providers in a box: the server side of the protocols that agents talk, with
//! nobody behind it but a script or a set of rules.
//!
//! Strict about what clients send, and able to misbehave on demand as the real ones do. It knows
//! nothing of the pipeline, of policies and of our own server.

pub mod brain;

mod anthropic;
mod gemini;
pub mod http;
pub mod offline;
mod openai;
mod png;
mod sse;
