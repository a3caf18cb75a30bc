//! A handler that leaves the sandbox.

use aileron_contract::ToolSpec;
use aileron_contract::spec::HandlerRuntime;

use crate::breaking::promise::{PromiseBreach, promise};

promise! {
    /// A handler in the sandbox does not become trusted code.
    ///
    /// ## Why
    /// A handler in the sandbox has the declared capabilities and nothing else. In a Node or Python
    /// worker it can read the server's files, use the network and start processes. The tool was
    /// reviewed without these rights.
    ///
    /// ## Example
    /// ```json
    /// { "runtime": "sandbox" }
    /// { "runtime": "node" }
    /// ```
    ///
    /// ## Fix
    /// Stay in the sandbox, with declared capabilities and helpers copied into the tools folder; or
    /// move the part that needs a package into a separate tool.
    RUNTIME_NO_WIDEN, "RUNTIME_NO_WIDEN", "runtime-widened", Major
}

pub(super) fn check(previous: &ToolSpec, current: &ToolSpec, found: &mut Vec<PromiseBreach>) {
    let (before, after) = (previous.runtime(), current.runtime());
    if before == HandlerRuntime::Sandbox && after != HandlerRuntime::Sandbox {
        let message = format!(
            "the handler moves to a `{}` worker, as trusted code that nothing contains",
            after.as_str()
        );
        found.push(PromiseBreach::new(&PROMISE, "/runtime", message));
    }
}
