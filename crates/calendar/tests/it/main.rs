//! Calendars over real files, real servers and real HTTP.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that cannot go on must fail"
)]

mod caldav;
mod engine;
mod fixture;
mod radicale;
mod server;
mod zoom;
