//! An `execute` that cannot be called.

use std::sync::Arc;

use crate::diagnostic::Diagnostic;
use crate::rule::rule;
use crate::source::{Source, Span};

rule! {
    /// `execute` is exported, but it is not a function that can be called.
    ///
    /// ## Why
    /// A call of the tool is a call of `execute`, whose result is awaited. A value, a class, a
    /// generator or, in Rust, a function that is not `pub async` gives no answer.
    ///
    /// ## Example
    /// ```js
    /// export const execute = { run: async ({ args }) => ({ ok: true, data: args }) };
    /// ```
    ///
    /// ## Fix
    /// ```js
    /// export async function execute({ args, context }) {
    ///   return { ok: true, data: args };
    /// }
    /// ```
    EXECUTE_NOT_A_FUNCTION, "AIL-H011", "execute-not-a-function", Error
}

const HELP: &str = "write `export async function execute({ args, context }) { ... }`";
const NATIVE_HELP: &str = "write `pub async fn execute(args, context) -> ToolResult`";

pub(crate) fn diagnose(source: &Arc<Source>, what: &str, place: Span) -> Diagnostic {
    let message = format!("expected `execute` to be a function, found {what}");
    Diagnostic::new(&EXECUTE_NOT_A_FUNCTION, source, message).at(place).help(HELP)
}

/// A native `execute` of the wrong kind.
pub(crate) fn native(source: &Arc<Source>, what: &str, place: Span) -> Diagnostic {
    let message = format!("expected `pub async fn execute`, found {what}");
    Diagnostic::new(&EXECUTE_NOT_A_FUNCTION, source, message).at(place).help(NATIVE_HELP)
}

/// A Python function that cannot be called with the arguments and the context.
pub(crate) fn python(source: &Arc<Source>, what: &str, place: Span) -> Diagnostic {
    let message = format!("expected `execute(args, context)`, found {what}");
    Diagnostic::new(&EXECUTE_NOT_A_FUNCTION, source, message)
        .at(place)
        .help("write `def execute(args, context):` or `async def execute(args, context):`")
}
