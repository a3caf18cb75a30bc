//! HTTP requests of tools: which are allowed (declared hosts, public addresses, limits of size and
//! time), and scripted answers for tests. `aileron-http` is the network client.

mod address;
mod client;
mod connection;
mod fault;
mod headers;
mod hop;
mod look;
mod message;
mod options;
mod rules;
mod script;

pub use address::is_public;
pub use client::HttpClient;
pub use connection::{Connection, StreamingResponse};
pub use fault::{HttpFault, HttpSetupError};
pub use hop::CheckedRequest;
pub use look::Probe;
pub use message::{HttpRequest, HttpResponse};
pub use options::HttpOptions;
pub use rules::authority;
pub use script::Exchange;
