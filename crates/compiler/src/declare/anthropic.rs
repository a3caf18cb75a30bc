//! Anthropic Messages: all keywords pass; only names and the root are checked.

use super::declaration::{Declaration, DeclaredTool, object};
use super::dialect::NameRule;
use super::pass::{Exceptions, pass};

const EXCEPTIONS: Exceptions = Exceptions {
    title: "Anthropic",
    dropped: &[],
    refused_at_root: &["anyOf", "oneOf", "allOf"],
    names: Some(&NameRule {
        allows: is_key,
        expected: "1 to 64 characters of letters, digits, `_`, `.` and `-`",
    }),
};

pub(super) fn declare(tool: DeclaredTool<'_>) -> Declaration {
    let (schema, losses) = pass(&EXCEPTIONS, tool.parameters);
    let value = object([
        ("name", tool.name.into()),
        ("description", tool.description.into()),
        ("input_schema", schema),
    ]);
    Declaration { value, losses }
}

fn is_key(name: &str) -> bool {
    let allowed = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b'-');
    (1..=64).contains(&name.len()) && name.bytes().all(allowed)
}
