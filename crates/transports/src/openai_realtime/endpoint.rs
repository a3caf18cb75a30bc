//! The address of OpenAI Realtime.

use crate::target::{Target, TargetError};

const BASE: &str = "wss://api.openai.com/v1";

/// The public service, or the one at a custom base, such as a simulator.
pub fn target(base: Option<&str>, model: &str, key: &str) -> Result<Target, TargetError> {
    let target = Target::new(base.unwrap_or(BASE), "realtime")?.query("model", model);
    target.secret("authorization", &format!("Bearer {key}"))
}
