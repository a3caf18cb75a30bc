//! The simulator from outside: over sockets, and by the official SDKs.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "all of this binary is a test, its shorthands too"
)]

mod http;
