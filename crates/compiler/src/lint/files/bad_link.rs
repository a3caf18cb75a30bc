//! An invalid symbolic link.

use std::sync::Arc;

use crate::diagnostic::Diagnostic;
use crate::rule::rule;
use crate::source::Source;

rule! {
    /// A symbolic link leads in circles, to nothing, or out of the tools folder.
    ///
    /// ## Why
    /// The artifact carries the text of what it read. A link out of the folder would put
    /// a file of this machine into it, and the same folder would give another registry elsewhere.
    ///
    /// ## Example
    /// `tools/kb-search/handler.js -> /etc/hostname`
    ///
    /// ## Fix
    /// Replace the link by the file, or let it point to something inside of the tools folder.
    BAD_LINK, "AIL-F009", "bad-link", Error
}

pub(crate) fn diagnose(source: &Arc<Source>, why: &str) -> Diagnostic {
    Diagnostic::new(&BAD_LINK, source, format!("symbolic link cannot be followed: {why}"))
        .help("replace it by the file itself, or let it point inside of the tools folder")
}
