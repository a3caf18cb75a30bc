//! Results told in words: a client that cannot send a result any more says what it was.

use serde_json::Value;

use super::outcome::ToolOutcome;

const MARK: &str = "[This is not from the person.";

/// A result that came after the model stopped waiting for it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct LateResult {
    pub(super) tool: String,
    pub(super) outcome: ToolOutcome,
}

/// Whether words are not the person's.
pub(super) fn is_notice(text: &str) -> bool {
    text.trim_start().starts_with(MARK)
}

/// Reads such words.
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
