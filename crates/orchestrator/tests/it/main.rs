//! The pipeline through its front door: a registry, a store, a clock that stands still.

mod gate;
mod stage;
