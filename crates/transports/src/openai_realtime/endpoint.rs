//! Where OpenAI Realtime is reached.

use crate::target::{Target, TargetError};

const BASE: &str = "wss://api.openai.com/v1";

/// The service, or the one at a base of your own, such as a simulator.
pub fn target(base: Option<&str>, model: &str, key: &str) -> Result<Target, TargetError> {
    let target = Target::new(base.unwrap_or(BASE), "realtime")?.query("model", model);
    target.secret("authorization", &format!("Bearer {key}"))
}
