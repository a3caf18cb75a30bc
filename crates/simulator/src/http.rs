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
mod world;

pub use faults::{Cut, HttpFaults, Status, UnknownFault};
pub use world::HttpWorld;

pub(crate) use exchange::{
    Delivery, Ending, Part, Question, Refusal, Reply, Thoughts, arguments, fragments, pieces,
};
pub(crate) use serve::{Dialect, Incoming, Place};
pub(crate) use world::Kept;

use std::sync::Arc;

use axum::Router;

/// Every endpoint, with and without the slash that some clients put in front twice.
pub fn router(world: Arc<HttpWorld>) -> Router {
    address::routes().with_state(world)
}

#[cfg(test)]
#[path = "http_tests.rs"]
mod tests;
