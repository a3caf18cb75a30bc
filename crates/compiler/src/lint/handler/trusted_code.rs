//! A handler that nothing contains.

use crate::diagnostic::Diagnostic;
use crate::document::Document;
use crate::rule::rule;

rule! {
    /// The handler runs in a worker process with the rights of the server.
    ///
    /// ## Why
    /// A `node` or `python` handler can read the server's files, use the network and start processes,
    /// whatever `capabilities` declares: it is trusted code, like the server itself. The registry and
    /// `aileron list` mark such tools, and a setting of the server forbids them. This note is for reviews; a
    /// handler that needs no package is better in the sandbox.
    ///
    /// ## Example
    /// ```json
    /// { "runtime": "node" }
    /// ```
    ///
    /// ## Fix
    /// Nothing is wrong. To contain the handler, remove `runtime`, use declared capabilities
    /// (`context.http`, `context.secret`) and copy small helpers into the tools folder.
    TRUSTED_CODE, "AIL-H019", "trusted-code", Note
}

pub(crate) fn diagnose(schema: &Document, runtime: &str) -> Diagnostic {
    let message = format!("a `{runtime}` handler is trusted code: nothing contains it");
    schema
        .at_value(&TRUSTED_CODE, "/runtime", message)
        .help("remove `runtime` if the handler needs no package, file or process")
}
