//! The protocols in writing, over HTTP: where each is reached, and what all of them share.
//!
//! What a request means and how a reply is put is left to one folder per provider.

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

/// Every endpoint, with and without the slash that some clients put in front twice.
pub fn router(shared: Arc<HttpWorld>) -> Router {
    address::routes().with_state(shared)
}

#[cfg(test)]
#[path = "http_tests.rs"]
mod tests;
