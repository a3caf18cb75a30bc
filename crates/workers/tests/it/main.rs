//! Node.js and Python handlers in real worker processes.

mod basics;
mod stage;
