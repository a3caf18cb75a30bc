//! Runs what a tool does.

pub mod http;
pub mod js;
pub mod secrets;
