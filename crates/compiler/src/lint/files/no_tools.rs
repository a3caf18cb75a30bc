//! A tools folder without tools.

use std::sync::Arc;

use crate::diagnostic::Diagnostic;
use crate::rule::rule;
use crate::source::Source;

rule! {
    /// The tools folder holds no tool.
    ///
    /// ## Why
    /// An agent without tools is rarely intended; more often the path is wrong.
    ///
    /// ## Example
    /// `aileron build --tools src` where the tools are in `src/tools`.
    ///
    /// ## Fix
    /// Point `--tools` at the folder that holds the tool directories, or make the first tool
    /// with `aileron new <name>`.
    NO_TOOLS, "AIL-F002", "no-tools", Error
}

pub(crate) fn diagnose(root: &Arc<Source>) -> Diagnostic {
    Diagnostic::new(&NO_TOOLS, root, format!("no tool directory in `{}`", root.path))
        .help("make one with `aileron new <name>`, or point `--tools` at the right folder")
}
