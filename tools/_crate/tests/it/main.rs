//! The shipped toolset, compiled, loaded and run.

#![allow(clippy::unwrap_used, clippy::panic)]

mod cases;
mod further_tools;
mod kb;
mod scaffold;
mod sensitive;
mod toolset;
