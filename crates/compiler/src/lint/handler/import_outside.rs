//! An import that leaves the tools folder.

use std::sync::Arc;

use crate::diagnostic::Diagnostic;
use crate::rule::rule;
use crate::source::{Source, Span};

rule! {
    /// An import leads out of the tools folder.
    ///
    /// ## Why
    /// The registry carries the text of every module. A module from outside would put a file
    /// of this machine into it, and the same tools folder would give another registry elsewhere.
    ///
    /// ## Example
    /// ```js
    /// import { config } from '../../src/config.js';
    /// ```
    ///
    /// ## Fix
    /// Move what is shared into the tools folder, in a directory that starts with `_`:
    /// `../_lib/config.js`. With `"runtime": "node"`, code of your application can also be a package
    /// that `package.json` names: `npm install ./src/lib`.
    IMPORT_OUTSIDE, "AIL-H006", "import-outside", Error
}

pub(crate) fn diagnose(source: &Arc<Source>, request: &str, place: Span) -> Diagnostic {
    let message = format!("expected a module inside of the tools folder, found `{request}`");
    Diagnostic::new(&IMPORT_OUTSIDE, source, message)
        .at(place)
        .help("move the module into the tools folder, for example to `_lib/`")
}

/// A relative import of Python.
pub(crate) fn python(source: &Arc<Source>, module: &str, place: Span) -> Diagnostic {
    let message =
        format!("expected a module of this tool or of a folder of shared code, found `{module}`");
    Diagnostic::new(&IMPORT_OUTSIDE, source, message).at(place).help(
        "move shared code into a directory of the tools folder that starts with `_`: `from .._lib.config import x`",
    )
}
