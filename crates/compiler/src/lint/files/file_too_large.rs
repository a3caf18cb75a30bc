//! A file beyond the size limit.

use std::sync::Arc;

use crate::diagnostic::Diagnostic;
use crate::rule::rule;
use crate::source::Source;

rule! {
    /// The file is larger than 1 MiB.
    ///
    /// ## Why
    /// Everything in a tool directory ends up in the registry, which every server loads and
    /// keeps. A file of this size is data in the wrong place, or a bundle that should be
    /// split. It is refused before it is read.
    ///
    /// ## Example
    /// A `handler.js` of 5 MB with a library bundled into it.
    ///
    /// ## Fix
    /// Move data to the knowledge base or behind a capability; import only what is used.
    FILE_TOO_LARGE, "AIL-F006", "file-too-large", Error
}

pub(crate) fn diagnose(source: &Arc<Source>, bytes: u64, limit: u64) -> Diagnostic {
    Diagnostic::new(
        &FILE_TOO_LARGE,
        source,
        format!("file has {bytes} bytes, expected at most {limit}"),
    )
    .help("move data to the knowledge base or behind a capability, and import only what is used")
}
