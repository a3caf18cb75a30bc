//! The artifact could not be written.

use std::sync::Arc;

use crate::diagnostic::Diagnostic;
use crate::rule::rule;
use crate::source::Source;

rule! {
    /// The artifact could not be written.
    ///
    /// ## Why
    /// The registry is written to a temporary file beside its place and then renamed, so that
    /// a reader sees the old one or the new one and never half of it. That needs the right
    /// to write in the folder, and room on the disk. The old artifact is untouched.
    ///
    /// ## Example
    /// `aileron build --out /usr/share/app/tool_registry.json` as an ordinary user.
    ///
    /// ## Fix
    /// Choose another place with `--out`, or make the folder writable.
    OUTPUT_NOT_WRITTEN, "AIL-F012", "output-not-written", Error
}

pub(crate) fn diagnose(source: &Arc<Source>, why: &str) -> Diagnostic {
    Diagnostic::new(&OUTPUT_NOT_WRITTEN, source, format!("artifact could not be written: {why}"))
        .help("choose another place with `--out`, or make the folder writable")
}
