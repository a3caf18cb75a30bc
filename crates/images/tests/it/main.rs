//! Image engines over real files and real HTTP.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that cannot go on must fail"
)]

mod engine;
mod provider;
#[path = "../../../calendar/tests/it/server.rs"]
mod server;
