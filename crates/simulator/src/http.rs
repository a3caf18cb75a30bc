//! The text protocols over HTTP: their paths and their shared parts.
//!
//! One folder per provider parses its requests and writes its replies.

mod address;
mod exchange;
mod faults;
mod image;
#[cfg(test)]
pub(crate) mod samples;
mod serve;
mod shared;

pub use faults::{HttpFaults, Status, StreamCut, UnknownFault};
pub use shared::HttpWorld;

pub(crate) use exchange::{
    Delivery, ModelReply, ProviderRequest, ReplyEnding, RequestRefusal, SimulatedPart, Thoughts,
    arguments, fragments, pieces,
};
pub(crate) use serve::{HttpProtocol, IncomingRequest, StreamPosition};
pub(crate) use shared::StoredReply;

use std::sync::Arc;

use axum::Router;

/// Every endpoint, with and without the double leading slash of some clients.
pub fn router(shared: Arc<HttpWorld>) -> Router {
    address::routes().with_state(shared)
}

#[cfg(test)]
#[path = "http_tests.rs"]
mod tests;
