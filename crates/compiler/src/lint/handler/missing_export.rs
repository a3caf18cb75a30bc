//! An import of a name that its module does not have.

use std::sync::Arc;

use crate::diagnostic::Diagnostic;
use crate::rule::rule;
use crate::source::{Source, Span};
use crate::suggest;

rule! {
    /// An import names something that its module does not export.
    ///
    /// ## Why
    /// The engine links all modules before it runs any of them, so one wrong name stops the
    /// whole handler. `aileron` exports `ErrorType`, `ToolError` and `IntentType`.
    ///
    /// ## Example
    /// ```ts
    /// import { Result, rank } from './ranking.ts'; // `Result` is a type
    /// ```
    ///
    /// ## Fix
    /// Correct the name. A type needs the word, since types are removed:
    /// ```ts
    /// import { type Result, rank } from './ranking.ts';
    /// ```
    MISSING_EXPORT, "AIL-H013", "missing-export", Error
}

/// More exports than these are not compared with a wrong name.
const MOST_CANDIDATES: usize = 200;

/// `request` does not export `name`.
pub(crate) fn diagnose<'a>(
    source: &Arc<Source>,
    request: &str,
    name: &str,
    exports: impl IntoIterator<Item = &'a str>,
    place: Span,
) -> Diagnostic {
    let exports: Vec<&str> = exports.into_iter().take(MOST_CANDIDATES).collect();
    let help = suggest::did_you_mean(name, &exports).unwrap_or_else(|| list(&exports));
    let message = match name {
        "default" => format!("expected a default export of `{request}`, found none"),
        _ => format!("expected an export of `{request}`, found `{name}`, which it does not have"),
    };
    Diagnostic::new(&MISSING_EXPORT, source, message).at(place).help(help)
}

/// `name` is a type, imported as if it were a value.
pub(crate) fn is_type(source: &Arc<Source>, request: &str, name: &str, place: Span) -> Diagnostic {
    let message = format!("expected a value of `{request}`, found the type `{name}`");
    Diagnostic::new(&MISSING_EXPORT, source, message)
        .at(place)
        .help(format!("use `import type`, or `type {name}` inside of the braces"))
}

/// `aileron` does not export `name`, but it may be a type in TypeScript.
pub(crate) fn maybe_type(
    source: &Arc<Source>,
    request: &str,
    name: &str,
    place: Span,
) -> Diagnostic {
    let message =
        format!("expected a value of `{request}`, found `{name}`, which it does not have");
    Diagnostic::new(&MISSING_EXPORT, source, message)
        .at(place)
        .help("it exports `ErrorType`, `IntentType` and `ToolError`; for a type, use `import type`")
}

/// `name` is a type, exported as if it were a value.
pub(crate) fn exported_type(source: &Arc<Source>, name: &str, place: Span) -> Diagnostic {
    let message = format!("expected the name of a value, found the type `{name}`");
    Diagnostic::new(&MISSING_EXPORT, source, message)
        .at(place)
        .help(format!("use `export type {{ {name} }}`"))
}

fn list(exports: &[&str]) -> String {
    const MOST: usize = 8;
    if exports.is_empty() {
        return "it exports nothing".to_owned();
    }
    let names: Vec<_> = exports.iter().take(MOST).map(|name| format!("`{name}`")).collect();
    let more = if exports.len() > MOST { ", ..." } else { "" };
    format!("it exports {}{more}", names.join(", "))
}
