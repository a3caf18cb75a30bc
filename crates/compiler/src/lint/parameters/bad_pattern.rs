//! A regular expression that cannot be used.

use aileron_schema::pattern::{self, PatternError};

use super::slow_pattern;
use crate::diagnostic::Diagnostic;
use crate::document::Document;
use crate::parameters::regex;
use crate::parameters::survey::Pattern;
use crate::parameters::words;
use crate::rule::rule;

rule! {
    /// A `pattern`, or a name of `patternProperties`, is not a regular expression that can be used.
    ///
    /// ## Why
    /// Patterns are regular expressions of ECMA-262 with the `u` flag, at build time and at run
    /// time: `new RegExp(pattern, "u")` in JavaScript takes the same ones. `(?i)`, `[[:alpha:]]`
    /// and `a++` belong to other dialects. A pattern that compiles to more than 10 MiB, by
    /// repeating repetitions, costs memory and time at every start.
    ///
    /// ## Example
    /// ```json
    /// { "type": "string", "pattern": "^[a-z+$" }
    /// ```
    ///
    /// ## Fix
    /// Correct the expression; here, close the bracket: `^[a-z]+$`. In JSON each backslash is
    /// written twice: `\\d`. Instead of large counts, use `maxLength`.
    BAD_PATTERN, "AIL-A007", "bad-pattern", Error
}

/// Patterns up to this weight are certain to be small enough.
const CERTAIN_WEIGHT: u64 = 250;

/// Checks one pattern; returns whether its text has no fault.
pub(crate) fn check(
    document: &Document,
    pointer: &str,
    text: &str,
    found: &mut Vec<Diagnostic>,
) -> bool {
    let reading = regex::read(text);
    let is_light = reading.ast.as_ref().is_some_and(|ast| regex::weight(ast) <= CERTAIN_WEIGHT);
    let judged = if is_light { pattern::check_syntax(text) } else { compiles(pointer, text) };
    if let Err(error) = judged {
        found.push(diagnose(document, pointer, text, &error));
        return false;
    }
    slow_pattern::check(document, pointer, text, &reading, found);
    true
}

/// Looks again, by compiling each pattern, when the schema as a whole does not compile.
pub(crate) fn recheck(document: &Document, patterns: &[Pattern<'_>], found: &mut Vec<Diagnostic>) {
    for Pattern { pointer, text } in patterns {
        if let Err(error) = compiles(pointer, text) {
            found.push(diagnose(document, pointer, text, &error));
        }
    }
}

/// Compiles a `pattern`, or else a name of `patternProperties`.
fn compiles(pointer: &str, text: &str) -> Result<(), PatternError> {
    match pointer.ends_with("/pattern") {
        true => pattern::compiles(text),
        false => pattern::compiles_as_name(text),
    }
}

fn diagnose(document: &Document, pointer: &str, text: &str, error: &PatternError) -> Diagnostic {
    let shown = words::shorten(text);
    let (message, help) = match error {
        PatternError::TooLarge => (
            format!("pattern `{shown}` compiles to more than 10 MiB"),
            "repeat less, and limit the length with `maxLength`",
        ),
        PatternError::Syntax(why) => (
            format!("pattern `{shown}` is not a regular expression: {why}"),
            "write it as in JavaScript with the `u` flag, and each backslash twice: `\\\\d`",
        ),
    };
    let fault = if pointer.ends_with("/pattern") {
        document.at_value(&BAD_PATTERN, pointer, message)
    } else {
        document.at_key(&BAD_PATTERN, pointer, message)
    };
    fault.help(help)
}
