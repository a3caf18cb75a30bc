//! A file that starts with a byte order mark.

use std::sync::Arc;

use crate::diagnostic::Diagnostic;
use crate::rule::rule;
use crate::source::Source;

rule! {
    /// The file starts with a byte order mark (U+FEFF).
    ///
    /// ## Why
    /// UTF-8 needs no mark, JSON forbids it, and other tools that read the file may fail.
    /// The compiler reads on without it, and the mark is not part of the registry's hash.
    ///
    /// ## Example
    /// A `schema.json` saved as "UTF-8 with BOM".
    ///
    /// ## Fix
    /// Save the file as UTF-8 without a byte order mark.
    BYTE_ORDER_MARK, "AIL-F005", "byte-order-mark", Warning
}

pub(crate) fn diagnose(source: &Arc<Source>) -> Diagnostic {
    Diagnostic::new(&BYTE_ORDER_MARK, source, "file starts with a byte order mark")
        .help("save it as UTF-8 without a byte order mark")
}
