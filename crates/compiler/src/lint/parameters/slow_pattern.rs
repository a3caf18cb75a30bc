//! A regular expression with exponential time.

use crate::diagnostic::Diagnostic;
use crate::document::Document;
use crate::parameters::ambiguity;
use crate::parameters::regex::ParsedRegex;
use crate::parameters::words;
use crate::rule::rule;

rule! {
    /// A regular expression repeats something that can be read in many ways.
    ///
    /// ## Why
    /// `(a+)+` can divide ten letters into groups in 512 ways and thirty in half a billion. A
    /// backtracking engine, as in JavaScript, Python and Java, tries all of them before it says no,
    /// and one crafted argument stops the program. Aileron's own engine does not backtrack but for
    /// look-around and back-references, and there it stops after 100,000 steps and refuses the
    /// argument. Other validators of this schema may hang.
    ///
    /// ## Example
    /// ```json
    /// { "type": "string", "pattern": "^(\\w+\\s?)*$" }
    /// ```
    ///
    /// ## Fix
    /// Write it so that each character can be read in one way only: `^(\\w+(\\s|$))*$`,
    /// or `^[\\w\\s]*$` where that is enough.
    SLOW_PATTERN, "AIL-A008", "slow-pattern", Warning
}

const HELP: &str = "let each character match in one way only: no repetition directly inside of a repetition, no alternatives that overlap";

pub(crate) fn check(
    document: &Document,
    pointer: &str,
    pattern: &str,
    reading: &ParsedRegex<'_>,
    found: &mut Vec<Diagnostic>,
) {
    let Some(ast) = &reading.ast else { return };
    if !ambiguity::is_exponential(&reading.text, ast) {
        return;
    }
    let message = format!(
        "pattern `{}` repeats what can be read in many ways; engines that backtrack take exponential time",
        words::shorten(pattern)
    );
    let fault = if pointer.ends_with("/pattern") {
        document.at_value(&SLOW_PATTERN, pointer, message)
    } else {
        document.at_key(&SLOW_PATTERN, pointer, message)
    };
    found.push(fault.help(HELP));
}
