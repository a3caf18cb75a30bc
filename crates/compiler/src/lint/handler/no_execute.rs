//! A handler that cannot be called.

use std::sync::Arc;

use crate::diagnostic::Diagnostic;
use crate::rule::rule;
use crate::source::{Source, Span};

rule! {
    /// The handler does not export `execute`.
    ///
    /// ## Why
    /// A call of the tool is a call of the function `execute`. A default export, an object of
    /// functions or a CommonJS module leaves nothing to call.
    ///
    /// ## Example
    /// ```js
    /// module.exports = { execute: async ({ args }) => ({ ok: true, data: args }) };
    /// ```
    ///
    /// ## Fix
    /// ```js
    /// export async function execute({ args, context }) {
    ///   return { ok: true, data: args };
    /// }
    /// ```
    /// In `handler.py`: `def execute(args, context):` or `async def`, at the top level. In `handler.rs`:
    /// `pub async fn execute(args, context) -> ToolResult`. With `"runtime": "node"` a CommonJS module may
    /// say `module.exports = { execute }`.
    NO_EXECUTE, "AIL-H004", "no-execute", Error
}

/// The export that the entry has instead of `execute`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ExportFound {
    /// `export default ...`
    Default(Span),
    /// `module.exports = ...` or `exports.execute = ...`
    CommonJs(Span),
    /// A function `execute` that is not exported.
    Private(Span),
    /// An export with nearly that name.
    Misspelt(String, Span),
    Nothing,
}

pub(crate) fn diagnose(source: &Arc<Source>, instead: ExportFound) -> Diagnostic {
    let finding = |found: &str| {
        let message = format!("expected an exported function `execute`, found {found}");
        Diagnostic::new(&NO_EXECUTE, source, message)
    };
    match instead {
        ExportFound::Default(place) => finding("a default export").at(place).help(
            "name the export: `export async function execute({ args, context }) { ... }`",
        ),
        ExportFound::CommonJs(place) => finding("a CommonJS module").at(place).help(
            "write an ES module: `export async function execute({ args, context }) { ... }`, with `import` for `require`",
        ),
        ExportFound::Private(place) => finding("`execute` without `export`")
            .at(place)
            .help("write `export` in front of it"),
        ExportFound::Misspelt(name, place) => finding(&format!("`{name}`"))
            .at(place)
            .help("did you mean `execute`?"),
        ExportFound::Nothing => finding("none")
            .help("write `export async function execute({ args, context }) { ... }`"),
    }
}

/// A native handler without the function.
pub(crate) fn native(source: &Arc<Source>) -> Diagnostic {
    let message = "expected `pub async fn execute`, found no function of that name";
    Diagnostic::new(&NO_EXECUTE, source, message)
        .help("write `pub async fn execute(args, context) -> ToolResult`")
}

/// A Python handler without the function, with the function of the most similar name.
pub(crate) fn python(source: &Arc<Source>, near: Option<&(String, Span)>) -> Diagnostic {
    let found = near.map_or_else(|| "none".to_owned(), |(name, _)| format!("`def {name}`"));
    let message = format!(
        "expected `def execute(args, context)` or `async def execute(args, context)` at the top level, found {found}"
    );
    let finding = Diagnostic::new(&NO_EXECUTE, source, message);
    match near {
        Some((_, place)) => finding.at(place.clone()).help("did you mean `execute`?"),
        None => finding.help("write `def execute(args, context):` without indentation"),
    }
}
