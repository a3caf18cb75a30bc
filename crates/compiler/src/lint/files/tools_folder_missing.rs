//! The tools folder is missing.

use std::sync::Arc;

use crate::diagnostic::Diagnostic;
use crate::rule::rule;
use crate::source::Source;

rule! {
    /// The tools folder does not exist.
    ///
    /// ## Why
    /// There is nothing to compile. Most often the command was started in another folder
    /// than the project's.
    ///
    /// ## Example
    /// `aileron build --tools toosl`
    ///
    /// ## Fix
    /// Start the command where `tools/` is, or name the folder with `--tools`.
    TOOLS_FOLDER_MISSING, "AIL-F001", "tools-folder-missing", Error
}

pub(crate) fn diagnose(source: &Arc<Source>) -> Diagnostic {
    Diagnostic::new(
        &TOOLS_FOLDER_MISSING,
        source,
        format!("tools folder `{}` does not exist", source.path),
    )
    .help("start the command where `tools/` is, or name the folder with `--tools`")
}
