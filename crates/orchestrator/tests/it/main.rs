//! The pipeline through its public interface: a registry, a store, a manual clock.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "all of this binary is a test, its shorthands too"
)]

mod answers;
mod assignment;
mod attacks;
mod bad_input;
mod blocks;
mod cases;
#[allow(dead_code, reason = "the store's tests ask their children, these only listen")]
#[path = "../../../store/tests/it/child.rs"]
mod child;
mod crash;
mod crowd;
mod dry_run;
mod gate;
mod ground;
mod live;
mod names;
mod offer;
mod recall;
mod replay;
mod retention;
mod scripts;
mod stage;
mod tasks;
