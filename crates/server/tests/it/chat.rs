//! Chat: the requests and streams of front ends.

mod again;
mod approvals;
mod bad_input;
mod brain;
pub(crate) mod http;
mod metrics;
mod resume;
mod sdk;
mod stream;
mod tasks;
mod world;
