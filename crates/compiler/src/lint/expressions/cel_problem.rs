//! Why a text is no CEL expression: the parser's errors, reworded.

use std::ops::Range;

use cel::ParseError;

/// Maximum characters of an expression; keeps parsing fast and the stack shallow.
pub(crate) const MOST_CHARACTERS: usize = 4096;

/// Why a text is no expression.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Problem {
    /// Bytes of the text; the whole of it when the place is not known.
    pub(crate) place: Range<usize>,
    /// The expectation and the found text.
    pub(crate) message: String,
    pub(crate) help: Option<&'static str>,
}

/// The prefix of the parser's syntax errors.
const SYNTAX: &str = "Syntax error: ";

/// Operators of other languages, and their replacements in CEL.
const FOREIGN: &[(&str, &str)] = &[
    ("=", "write `==` to compare"),
    ("and", "write `&&` for and"),
    ("or", "write `||` for or"),
    ("not", "write `!` for not"),
    ("&", "write `&&` for and"),
    ("|", "write `||` for or"),
    ("?.", "write `has(a.b) && a.b` where `b` may be missing"),
];

pub(crate) fn too_long(text: &str, count: usize) -> Problem {
    let message = format!("expected at most {MOST_CHARACTERS} characters, found {count}");
    let help = Some("decide in the handler what takes this much to say");
    Problem { place: 0..text.len(), message, help }
}

/// The first error of syntax, or else the first; the others mostly follow from it.
pub(crate) fn explain(text: &str, errors: &[ParseError]) -> Problem {
    let syntax = errors.iter().find(|error| error.msg.starts_with(SYNTAX));
    let Some(error) = syntax.or(errors.first()) else {
        return Problem { place: 0..text.len(), message: "expected CEL".to_owned(), help: None };
    };
    let said = error.msg.strip_prefix(SYNTAX).unwrap_or(&error.msg);
    let message = reworded(said);
    let found = quoted(said).map(str::trim).unwrap_or_default();
    let help = FOREIGN.iter().find(|(sign, _)| *sign == found).map(|(_, help)| *help);
    Problem { place: place(text, error.pos, found), message, help }
}

fn reworded(said: &str) -> String {
    if said.contains("Recursion limit") {
        return "expected at most 96 levels of nesting, found more".to_owned();
    }
    let found = match quoted(said).map(str::trim) {
        Some("<EOF>") | None => "the end".to_owned(),
        Some(token) => format!("`{token}`"),
    };
    let expected = said.rsplit_once(" expecting ").map(|(_, set)| set);
    if said.starts_with("mismatched input") || said.starts_with("extraneous input") {
        return format!("expected {}, found {found}", expectation(expected.unwrap_or_default()));
    }
    if said.starts_with("missing ") {
        let missing = said.trim_start_matches("missing ").split(" at ").next().unwrap_or_default();
        return format!("expected {}, found {}", expectation(missing), last_quoted(said));
    }
    if said.starts_with("token recognition") || said.starts_with("no viable alternative") {
        return format!("expected CEL, found {found}");
    }
    lower(said)
}

/// A short description of a set of tokens.
fn expectation(set: &str) -> String {
    if set.contains("IDENTIFIER") {
        "a value".to_owned()
    } else if set.contains("<EOF>") {
        "an operator or the end".to_owned()
    } else if set.contains("'=='") {
        let closing = ["')'", "']'", "'}'", "':'"].into_iter().find(|sign| set.contains(sign));
        format!("an operator or {}", closing.unwrap_or("','").replace('\'', "`"))
    } else {
        set.trim_matches(['{', '}']).replace('\'', "`")
    }
}

/// The first text between single quotes.
fn quoted(said: &str) -> Option<&str> {
    let (_, rest) = said.split_once('\'')?;
    let end = rest.find("' expecting").or_else(|| rest.rfind('\''))?;
    rest.get(..end)
}

fn last_quoted(said: &str) -> String {
    let token = said.rsplit_once(" at ").map_or("", |(_, token)| token).trim_matches('\'');
    if token == "<EOF>" { "the end".to_owned() } else { format!("`{token}`") }
}

fn lower(said: &str) -> String {
    let mut chars = said.trim_end_matches(['!', '.']).chars();
    let first = chars.next().map(char::to_lowercase);
    first.into_iter().flatten().chain(chars).collect()
}

/// Line and column, both from 1, as bytes of the text.
fn place(text: &str, (line, column): (isize, isize), found: &str) -> Range<usize> {
    let (Ok(line), Ok(column)) = (usize::try_from(line - 1), usize::try_from(column - 1)) else {
        return 0..text.len();
    };
    let start: usize = text.split_inclusive('\n').take(line).map(str::len).sum();
    let rest = text.get(start..).unwrap_or_default();
    let offset = rest.char_indices().nth(column).map_or(rest.len(), |(at, _)| at);
    let start = start + offset;
    let rest = text.get(start..).unwrap_or_default();
    let length = if !found.is_empty() && rest.starts_with(found) {
        found.len()
    } else {
        rest.chars().next().map_or(0, char::len_utf8)
    };
    start..start + length
}

#[cfg(test)]
#[path = "cel_problem_tests.rs"]
mod tests;
