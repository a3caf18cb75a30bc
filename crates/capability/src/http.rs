//! Requests of tools to servers: which may leave (declared hosts, public addresses, limits of size and
//! time), and how they are answered in tests. The network itself is `aileron-http`.

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
