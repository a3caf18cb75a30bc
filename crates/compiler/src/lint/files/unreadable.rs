//! A file or folder that cannot be read.

use std::sync::Arc;

use crate::diagnostic::Diagnostic;
use crate::rule::rule;
use crate::source::Source;

rule! {
    /// A file or a folder cannot be read.
    ///
    /// ## Why
    /// A registry without the unreadable tool would lose it silently, so the build fails and
    /// names it.
    ///
    /// ## Example
    /// `chmod 000 tools/kb-search`
    ///
    /// ## Fix
    /// Give the user who builds the right to read it, or remove it.
    UNREADABLE, "AIL-F003", "unreadable", Error
}

pub(crate) fn diagnose(source: &Arc<Source>, why: &str) -> Diagnostic {
    Diagnostic::new(&UNREADABLE, source, format!("`{}` cannot be read: {why}", source.path))
        .help("give the user who builds the right to read it, or remove it")
}
