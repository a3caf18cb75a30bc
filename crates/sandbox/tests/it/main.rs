//! The sandbox as the runtime uses it. One suite, run over threads and over worker processes.

#![allow(clippy::unwrap_used, clippy::panic)]

mod sandbox;
mod world;

mod basics;
mod crowd;
mod endings;
mod errors;
mod hostile;
mod leaks;
mod limits;
mod loading;
mod memory;
mod results;
mod shipped;
mod stuck;
mod toolset;
mod workers;
