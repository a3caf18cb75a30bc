//! Conversations over real sockets, with a scripted provider.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "all of this binary is a test, its shorthands too"
)]

mod provider;
mod reconnect;
mod text;
mod tls;
