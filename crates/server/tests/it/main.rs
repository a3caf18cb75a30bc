//! The server over real sockets: clients as people have them, a model in a box, a real gate.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "all of this binary is a test, its shorthands too"
)]

mod api;
mod bad_input;
mod blocks;
mod chat;
mod client;
mod confirmations;
mod conformance;
mod door;
mod endings;
mod images;
mod metrics;
mod moves;
mod one_history;
mod openapi;
mod operate;
mod page;
mod series;
mod sign_in;
mod stage;
mod voice;
