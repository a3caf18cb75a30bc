//! Node.js and Python handlers in real worker processes: what they may not do, and what happens to
//! others when they do it. That they behave like all other handlers is tested with the `aileron`
//! command, which has every engine.

#![allow(clippy::unwrap_used, clippy::panic)]

mod stage;

mod breaches;
mod endings;
mod loading;
mod memory;
mod output;
mod sharing;
mod world;
