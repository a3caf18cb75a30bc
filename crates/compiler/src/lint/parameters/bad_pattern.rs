//! A regular expression that cannot be used.

use aileron_schema::pattern::compiles;

use super::slow_pattern;
use crate::diagnostic::Diagnostic;
use crate::document::Document;
use crate::parameters::regex::{self, Reading};
use crate::parameters::survey::Pattern;
use crate::parameters::words;
use crate::rule::rule;

rule! {
    /// A `pattern`, or a name of `patternProperties`, is not a regular expression that can be used.
    ///
    /// ## Why
    /// Patterns are regular expressions as in JavaScript. One that does not compile checks
    /// nothing; one that compiles to more than a mebibyte, by repeating repetitions, costs
    /// memory and time at every start.
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

/// Checks one pattern; whether nothing was wrong that a look at its text could tell.
pub(crate) fn check(
    document: &Document,
    pointer: &str,
    pattern: &str,
    found: &mut Vec<Diagnostic>,
) -> bool {
    let reading = regex::read(pattern);
    let weight = reading.ast.as_ref().map_or(0, regex::weight);
    if (reading.fault.is_some() || weight > CERTAIN_WEIGHT) && !compiles(pattern) {
        found.push(diagnose(document, pointer, pattern, &reading, weight));
        return false;
    }
    slow_pattern::check(document, pointer, pattern, &reading, found);
    true
}

/// Looks again, by compiling each pattern, when the schema as a whole does not compile.
pub(crate) fn recheck(document: &Document, patterns: &[Pattern<'_>], found: &mut Vec<Diagnostic>) {
    for Pattern { pointer, text } in patterns {
        if !compiles(text) {
            let reading = regex::read(text);
            let weight = reading.ast.as_ref().map_or(0, regex::weight);
            found.push(diagnose(document, pointer, text, &reading, weight));
        }
    }
}

fn diagnose(
    document: &Document,
    pointer: &str,
    pattern: &str,
    reading: &Reading<'_>,
    weight: u64,
) -> Diagnostic {
    let shown = words::shorten(pattern);
    let (message, help) = if weight > CERTAIN_WEIGHT {
        (
            format!("pattern `{shown}` compiles to more than 1 MiB"),
            "repeat less, and limit the length with `maxLength`",
        )
    } else {
        let why = reading.fault.as_deref().unwrap_or("it uses what JavaScript does not have");
        (
            format!("pattern `{shown}` is not a regular expression: {why}"),
            "write it as in JavaScript, and each backslash twice: `\\\\d`",
        )
    };
    let fault = if pointer.ends_with("/pattern") {
        document.at_value(&BAD_PATTERN, pointer, message)
    } else {
        document.at_key(&BAD_PATTERN, pointer, message)
    };
    fault.help(help)
}
