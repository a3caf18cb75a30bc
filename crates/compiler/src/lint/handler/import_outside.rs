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
    /// `../_lib/config.js`.
    IMPORT_OUTSIDE, "AIL-H006", "import-outside", Error
}

pub(crate) fn diagnose(source: &Arc<Source>, request: &str, place: Span) -> Diagnostic {
    let message = format!("expected a module inside of the tools folder, found `{request}`");
    Diagnostic::new(&IMPORT_OUTSIDE, source, message)
        .at(place)
        .help("move the module into the tools folder, for example to `_lib/`")
}
