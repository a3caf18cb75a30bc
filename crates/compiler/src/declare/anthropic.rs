//! Anthropic Messages: everything passes, but for names and the root.

use serde_json::json;

use super::dialect::{Dialect, Names, Refs, Treatment};
use super::{Declaration, Tool, emit, lower};

static DIALECT: Dialect = Dialect {
    title: "Anthropic",
    table: &[],
    otherwise: Treatment::Keep,
    refs: Refs::AsWritten,
    names: Some(&Names {
        allows: is_key,
        expected: "1 to 64 characters of letters, digits, `_`, `.` and `-`",
    }),
    refused_at_root: &["anyOf", "oneOf", "allOf"],
    conflict: Treatment::Drop,
    shape: emit::as_emitted,
};

pub(super) fn declare(tool: Tool<'_>) -> Declaration {
    let (schema, losses) = lower::lower(&DIALECT, tool.parameters);
    let value = json!({
        "name": tool.name,
        "description": tool.description,
        "input_schema": schema,
    });
    Declaration { value, losses }
}

fn is_key(name: &str) -> bool {
    let allowed = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b'-');
    (1..=64).contains(&name.len()) && name.bytes().all(allowed)
}
