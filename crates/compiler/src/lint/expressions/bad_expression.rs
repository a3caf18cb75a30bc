//! A text that is no CEL expression.

use aileron_contract::condition::ConditionField;

use super::cel_problem::Problem;
use super::literal;
use super::subject::Subject;
use crate::diagnostic::Diagnostic;
use crate::rule::rule;

rule! {
    /// A condition is not a CEL expression.
    ///
    /// ## Why
    /// `availability.condition` and `confirmation.when` decide at run time whether a tool may be
    /// called and whether the person is asked. A condition that cannot be read would have to
    /// deny every call, so it is an error at build time. At most 4096 characters and 96 levels
    /// of nesting are read.
    ///
    /// ## Example
    /// ```json
    /// { "confirmation": { "when": "size(args.attendees) > 10 and mode == 'voice'" } }
    /// ```
    ///
    /// ## Fix
    /// Correct the expression at the caret; here, write `&&`.
    BAD_EXPRESSION, "AIL-X001", "bad-expression", Error
}

pub(crate) fn diagnose(
    subject: &Subject<'_>,
    field: &ConditionField,
    problem: &Problem,
) -> Diagnostic {
    let message = format!("`{}` is not a CEL expression: {}", field.name, problem.message);
    let place = literal::span(subject.schema, field.pointer, problem.place.clone());
    let finding = subject.schema.at_value(&BAD_EXPRESSION, field.pointer, message).at(place);
    match problem.help {
        Some(help) => finding.help(help),
        None => finding,
    }
}
