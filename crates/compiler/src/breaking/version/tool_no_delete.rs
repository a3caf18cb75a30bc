//! A deleted tool.

use aileron_contract::ArtifactTool;

use crate::breaking::promise::{PromiseBreach, promise};

promise! {
    /// A tool is not deleted.
    ///
    /// ## Why
    /// Every prompt and every agent that names it gets `NOT_FOUND`. A deleted tool has no version
    /// that could be raised, so this is always reported. A renamed tool is a deleted and an
    /// added one.
    ///
    /// ## Example
    /// `tools/kb-search/` is in the previous registry and not in the folder any more.
    ///
    /// ## Fix
    /// Restore the directory, and say in its description that the tool is deprecated and what
    /// takes its place. When nobody calls it any more, delete it and pass
    /// `--allow TOOL_NO_DELETE`.
    TOOL_NO_DELETE, "TOOL_NO_DELETE", "tool-deleted", Major
}

/// The help text; a higher version is no fix.
pub(in crate::breaking) const HELP: &str = "restore it and say in its description that it is deprecated; once nobody calls it, pass `--allow TOOL_NO_DELETE`";

pub(in crate::breaking) fn deleted(tool: &ArtifactTool) -> PromiseBreach {
    let message = format!("the tool is deleted, its last version was {}", tool.spec.0.version);
    PromiseBreach::new(&PROMISE, "", message)
}
