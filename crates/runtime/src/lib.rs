//! Runs what a tool does.

pub mod js;
pub mod secrets;
