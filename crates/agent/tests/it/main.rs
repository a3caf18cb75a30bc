//! The loop through its front door: a scripted model, made-up tools, a real gate and a real store.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "all of this binary is a test, its shorthands too"
)]

mod back;
mod compaction;
mod confirmation;
mod durable;
mod endings;
mod interruption;
mod script;
mod stage;
mod steps;
mod tasks;
