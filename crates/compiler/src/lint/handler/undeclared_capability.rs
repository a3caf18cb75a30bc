//! A capability that is used but not declared.

use std::sync::Arc;

use crate::diagnostic::{Diagnostic, Edit};
use crate::rule::rule;
use crate::source::{Source, Span};

rule! {
    /// The handler uses a capability that `schema.json` does not declare.
    ///
    /// ## Why
    /// A handler's context holds what `capabilities` declares, and nothing else. An undeclared
    /// one is absent: the first call would fail.
    ///
    /// ## Example
    /// ```js
    /// export async function execute({ args, context }) {
    ///   return { ok: true, data: await context.kb.search(args) };
    /// }
    /// ```
    /// with `"capabilities": ["audit"]`.
    ///
    /// ## Fix
    /// Add it: `"capabilities": ["audit", "kb"]`. Hosts and secrets are named:
    /// `"http:api.example.com"`, `"secret:API_KEY"`.
    UNDECLARED_CAPABILITY, "AIL-H010", "undeclared-capability", Error
}

/// `declaration` is the missing entry of `capabilities`.
pub(crate) fn diagnose(
    source: &Arc<Source>,
    capability: &str,
    declaration: &str,
    place: Span,
) -> Diagnostic {
    let message = format!(
        "handler uses `context.{capability}`, expected `{declaration}` among the declared capabilities"
    );
    let finding = Diagnostic::new(&UNDECLARED_CAPABILITY, source, message)
        .at(place)
        .help(format!("add \"{declaration}\" to `capabilities` in `schema.json`"));
    // A host or a secret whose name is not a literal is for the author to name.
    match declaration.contains('<') {
        true => finding,
        false => finding.edit(Edit::Declare(declaration.to_owned())),
    }
}
