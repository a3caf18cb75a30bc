//! Chat: what front ends send and read.

mod approvals;
mod bad_input;
mod brain;
mod http;
mod resume;
mod sdk;
mod stream;
mod world;
