//! The server over real sockets.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "all of this binary is a test, its shorthands too"
)]

mod voice;
