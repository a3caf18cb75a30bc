//! A variable of the environment that a worker does not have.

use std::sync::Arc;

use crate::diagnostic::{Diagnostic, Edit};
use crate::rule::rule;
use crate::source::{Source, Span};

rule! {
    /// A Node or Python handler reads a variable of the environment that `schema.json` does not declare.
    ///
    /// ## Why
    /// A worker does not inherit the environment of the server. It has the usual variables (`PATH`,
    /// `HOME`, `TZ` ...) and the secrets that its tools declare, so that a key of one tool is not open to
    /// the next by chance. Every other variable is absent.
    ///
    /// ## Example
    /// ```js
    /// const stripe = new Stripe(process.env.STRIPE_KEY);
    /// ```
    /// without `"secret:STRIPE_KEY"` among the `capabilities`.
    ///
    /// ## Fix
    /// Add `"secret:STRIPE_KEY"` to `capabilities`. The handler reads it as before, or as
    /// `context.secret.get('STRIPE_KEY')`.
    UNDECLARED_ENVIRONMENT, "AIL-H020", "undeclared-environment", Warning
}

pub(crate) fn diagnose(source: &Arc<Source>, name: &str, place: Span) -> Diagnostic {
    let message = format!(
        "handler reads the environment variable `{name}`, expected `secret:{name}` among the declared capabilities; a worker has no other variables of the server"
    );
    Diagnostic::new(&UNDECLARED_ENVIRONMENT, source, message)
        .at(place)
        .help(format!("add \"secret:{name}\" to `capabilities` in `schema.json`"))
        .edit(Edit::Declare(format!("secret:{name}")))
}
