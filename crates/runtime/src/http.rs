//! The engine behind `http:<host>`: requests that leave only for declared hosts, at public addresses, within
//! limits of size and time. Who declared which host is decided by others.

mod address;
mod client;
mod fault;
mod headers;
mod hop;
mod look;
mod message;
mod options;
mod resolver;
mod rules;
mod script;
pub mod service;

pub use client::HttpClient;
pub use fault::{HttpFault, HttpSetupError};
pub use look::Looked;
pub use message::{HttpRequest, HttpResponse};
pub use options::HttpOptions;
pub use script::Exchange;
