//! A preview with invalid braces.

use super::literal;
use super::preview::{POINTER, Problem, ProblemKind};
use super::subject::Subject;
use crate::diagnostic::Diagnostic;
use crate::rule::rule;

rule! {
    /// The braces of a preview do not match, or are empty.
    ///
    /// ## Why
    /// The person reads `confirmation.preview` before they approve. `{name}` is replaced by an
    /// argument; a literal brace is written twice. A preview with an unmatched brace would not
    /// show the arguments that the person approves.
    ///
    /// ## Example
    /// ```json
    /// { "confirmation": { "preview": "Create \"{title\" with {} people" } }
    /// ```
    ///
    /// ## Fix
    /// Close the brace, name the parameter between them, or write `{{` and `}}` for braces.
    BAD_PREVIEW, "AIL-X005", "bad-preview", Error
}

pub(crate) fn diagnose(subject: &Subject<'_>, problem: &Problem) -> Diagnostic {
    let (message, help) = match problem.kind {
        ProblemKind::Unclosed => (
            "`confirmation.preview` has a `{` without its `}`",
            "close it after the parameter's name, or write `{{` for a brace",
        ),
        ProblemKind::Unopened => (
            "`confirmation.preview` has a `}` without its `{`",
            "open it before the parameter's name, or write `}}` for a brace",
        ),
        ProblemKind::Empty => (
            "`confirmation.preview` has braces with no name in them",
            "name a parameter between them, or write `{{}}` for braces",
        ),
    };
    let place = literal::span(subject.schema, POINTER, problem.place.clone());
    subject.schema.at_value(&BAD_PREVIEW, POINTER, message).at(place).help(help)
}
