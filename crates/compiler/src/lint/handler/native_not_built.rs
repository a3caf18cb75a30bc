//! A native handler that the command at hand cannot run.

use std::sync::Arc;

use crate::diagnostic::Diagnostic;
use crate::rule::rule;
use crate::source::Source;

rule! {
    /// The handler is native, and this binary was built without it or from other sources.
    ///
    /// ## Why
    /// A `handler.rs` is compiled into the `aileron` binary, from the `tools` folder of its source. A binary
    /// that does not have it cannot run the tool, and would refuse the registry as a whole when it is
    /// loaded.
    ///
    /// ## Example
    /// `tools/greet-person/handler.rs`, and an `aileron` that was installed before it was written.
    ///
    /// ## Fix
    /// Write the handler as `handler.js` or `handler.ts`, which need no compiler. Or build a binary that has
    /// it, in a checkout of aileron: `AILERON_NATIVE_TOOLS=/path/to/tools cargo build --release -p
    /// aileron-cli`. Tools in `tools/` of the checkout itself need no variable. No list has to be edited.
    NATIVE_NOT_BUILT, "AIL-H016", "native-not-built", Error
}

/// The state of the handler in the binary.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NativeFault {
    Absent,
    /// A handler of the same tool, from other sources.
    OtherSource,
}

pub(crate) fn diagnose(source: &Arc<Source>, fault: NativeFault) -> Diagnostic {
    let (found, help) = match fault {
        NativeFault::Absent => (
            "none for this tool",
            "write `handler.js` or `handler.ts` instead, or build a binary with this tool in a checkout of aileron: `AILERON_NATIVE_TOOLS=<absolute path of the tools> cargo build --release -p aileron-cli`",
        ),
        NativeFault::OtherSource => (
            "one that was built from other sources",
            "build the binary again from these tools, in a checkout of aileron: `AILERON_NATIVE_TOOLS=<absolute path of the tools> cargo build --release -p aileron-cli`",
        ),
    };
    let message = format!("expected a native handler that is part of this binary, found {found}");
    Diagnostic::new(&NATIVE_NOT_BUILT, source, message).help(help)
}
