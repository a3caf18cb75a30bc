//! The simulator over real sockets: with our own transports, and with the official
//! SDKs of the providers.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "all of this binary is a test, its shorthands too"
)]

mod agent;
mod contracts;
mod control;
mod conversation;
mod documentation;
mod faults;
mod http;
mod place;
mod sdk;
mod socket;
