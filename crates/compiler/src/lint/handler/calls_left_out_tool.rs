//! A tool that names another tool which this build leaves out.

use std::sync::Arc;

use crate::diagnostic::Diagnostic;
use crate::rule::rule;
use crate::source::{Source, Span};

rule! {
    /// The handler calls a tool that the build leaves out.
    ///
    /// ## Why
    /// With `--keep-going`, tools that do not compile are left out of the registry. A call of such a tool
    /// would be answered with `NOT_FOUND`, so a tool that declares `tools` and names it would be built and
    /// could not work: it is left out too.
    ///
    /// ## Example
    /// ```js
    /// const person = await context.tools.call('crm_lookup', { email: args.email });
    /// ```
    /// while `crm-lookup` has an error.
    ///
    /// ## Fix
    /// Correct the errors of the other tool, or remove the call.
    CALLS_LEFT_OUT_TOOL, "AIL-H023", "calls-left-out-tool", Error
}

pub(crate) fn diagnose(source: &Arc<Source>, called: &str, place: Span) -> Diagnostic {
    let message = format!("handler names the tool `{called}`, which is left out of this build");
    Diagnostic::new(&CALLS_LEFT_OUT_TOOL, source, message)
        .at(place)
        .help(format!("correct the errors of `{called}`, or remove the call"))
}
