//! The pipeline through its front door: a registry, a store, a clock that stands still.

#![allow(clippy::unwrap_used, clippy::panic)]

mod gate;
mod names;
mod scripts;
mod stage;
