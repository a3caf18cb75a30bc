//! The pipeline through its front door: a registry, a store, a clock that stands still.

mod cases;
mod gate;
mod replay;
mod stage;
