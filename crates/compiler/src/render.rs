//! Findings for people and machines: text, JSON, GitHub annotations, SARIF.

mod github;
mod json;
mod sarif;
mod text;

pub use github::github;
pub use json::json;
pub use sarif::sarif;
pub use text::{Style, text};

#[cfg(test)]
#[path = "render_tests.rs"]
mod tests;
