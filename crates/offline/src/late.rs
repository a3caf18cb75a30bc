//! Late results as text: a client that can no longer send a result describes it in a message.

use serde_json::Value;

use super::outcome::ToolOutcome;

const MARK: &str = "[This is not from the person.";

/// A result that arrived after the model stopped waiting for it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct LateResult {
    pub(super) tool: String,
    pub(super) outcome: ToolOutcome,
}

/// Whether a message is such a notice, not the person's words.
pub(super) fn is_notice(text: &str) -> bool {
    text.trim_start().starts_with(MARK)
}

/// Parses such a notice.
pub(super) fn read(text: &str) -> Option<LateResult> {
    if !is_notice(text) {
        return None;
    }
    let (_, behind) = text.split_once("Tool: ")?;
    let tool = behind.split(['.', ' ']).next()?.to_owned();
    let (_, result) = text.split_once("Result: ")?;
    let end = result.rfind('}')?;
    let value: Value = serde_json::from_str(&result[..=end]).ok()?;
    Some(LateResult { tool, outcome: ToolOutcome::read(&value) })
}
