//! A tool with more than one body of code.

use std::sync::Arc;

use crate::diagnostic::Diagnostic;
use crate::rule::rule;
use crate::source::Source;

rule! {
    /// The directory has more than one handler.
    ///
    /// ## Why
    /// A tool has one handler. With two of them, the choice would be arbitrary, and the one
    /// that was edited last might not be the one that runs.
    ///
    /// ## Example
    /// `handler.js` beside the `handler.ts` it was generated from.
    ///
    /// ## Fix
    /// Keep one and delete the others. TypeScript needs no build step: its types are removed
    /// when the registry is built.
    SEVERAL_HANDLERS, "AIL-H002", "several-handlers", Error
}

pub(crate) fn diagnose(folder: &Arc<Source>, names: &[&str]) -> Diagnostic {
    let list: Vec<_> = names.iter().map(|name| format!("`{name}`")).collect();
    let message = format!("expected one handler, found {}: {}", names.len(), list.join(", "));
    Diagnostic::new(&SEVERAL_HANDLERS, folder, message).help("keep one and delete the others")
}
