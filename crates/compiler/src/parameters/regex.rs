//! Regular expressions, read for their structure. The validator decides whether one is usable; this
//! module checks it without compiling.

use std::borrow::Cow;

use regex_syntax::ast::parse::ParserBuilder;
use regex_syntax::ast::{Ast, Error, RepetitionKind, RepetitionRange};

/// Maximum nesting of parsed groups.
const NEST_LIMIT: u32 = 100;

/// The weight of a class such as `\p{L}`, relative to a single character.
const UNICODE_CLASS_WEIGHT: u64 = 100;

/// A parsed regular expression.
#[derive(Debug)]
pub(crate) struct ParsedRegex<'p> {
    /// The text from which `ast` was parsed.
    pub(crate) text: Cow<'p, str>,
    /// Its structure, with look-around and back-references as plain groups.
    pub(crate) ast: Option<Ast>,
}

/// Reads a pattern.
pub(crate) fn read(pattern: &str) -> ParsedRegex<'_> {
    if let Ok(ast) = parse(pattern) {
        return ParsedRegex { text: Cow::Borrowed(pattern), ast: Some(ast) };
    }
    let text = simplify(pattern);
    let ast = parse(&text).ok();
    ParsedRegex { text: Cow::Owned(text), ast }
}

// The error is large, because it has the place in the pattern; it is rare and short-lived.
#[allow(clippy::result_large_err)]
fn parse(pattern: &str) -> Result<Ast, Error> {
    ParserBuilder::new().nest_limit(NEST_LIMIT).build().parse(pattern)
}

/// Replaces ECMAScript syntax that the parser does not support: look-around, back-references,
/// control letters, and brackets inside of brackets.
fn simplify(pattern: &str) -> String {
    let mut out = String::with_capacity(pattern.len());
    let mut rest = pattern;
    let mut in_class = false;
    while let Some(c) = rest.chars().next() {
        let (taken, put) = match c {
            '\\' => escape(rest, in_class),
            '[' if in_class => (1, "\\["),
            '(' if !in_class => group(rest),
            _ => (c.len_utf8(), ""),
        };
        in_class = match c {
            '[' => true,
            ']' => false,
            _ => in_class,
        };
        let (now, later) = rest.split_at(taken.min(rest.len()));
        out.push_str(if put.is_empty() { now } else { put });
        rest = later;
    }
    out
}

/// The length of an escape and its replacement; `None` keeps it.
fn escape(rest: &str, in_class: bool) -> (usize, &'static str) {
    let mut chars = rest.chars().skip(1);
    match chars.next() {
        Some('1'..='9') if !in_class => {
            (1 + rest.chars().skip(1).take_while(char::is_ascii_digit).count(), "(?:)")
        }
        Some('k') if rest.starts_with("\\k<") => {
            (rest.find('>').map_or(rest.len(), |at| at + 1), "(?:)")
        }
        Some('c') if chars.next().is_some_and(|c| c.is_ascii_alphabetic()) => (3, "\\x01"),
        Some('b') if in_class => (2, "\\x08"),
        Some('0') => (2, "\\x00"),
        Some(c) => (1 + c.len_utf8(), ""),
        None => (1, ""),
    }
}

fn group(rest: &str) -> (usize, &'static str) {
    let around = ["(?=", "(?!", "(?<=", "(?<!", "(?>"].iter().find(|open| rest.starts_with(**open));
    around.map_or((1, ""), |open| (open.len(), "(?:"))
}

/// Roughly how many characters and classes the pattern takes once its repetitions are written out.
pub(crate) fn weight(ast: &Ast) -> u64 {
    match ast {
        Ast::Empty(_) | Ast::Flags(_) | Ast::Assertion(_) => 0,
        Ast::Literal(_) | Ast::Dot(_) | Ast::ClassPerl(_) => 1,
        Ast::ClassUnicode(_) => UNICODE_CLASS_WEIGHT,
        Ast::ClassBracketed(class) => {
            let text = class.span.end.offset.saturating_sub(class.span.start.offset);
            u64::try_from(text).unwrap_or(u64::MAX)
        }
        Ast::Group(group) => weight(&group.ast),
        Ast::Repetition(repetition) => {
            weight(&repetition.ast).max(1).saturating_mul(times(&repetition.op.kind))
        }
        Ast::Alternation(alternation) => sum(&alternation.asts),
        Ast::Concat(concat) => sum(&concat.asts),
    }
}

fn sum(asts: &[Ast]) -> u64 {
    asts.iter().map(weight).fold(0, u64::saturating_add)
}

fn times(kind: &RepetitionKind) -> u64 {
    match bounds(kind) {
        (_, Some(max)) => u64::from(max),
        (min, None) => u64::from(min).max(1),
    }
}

/// How often, at least and at most.
pub(crate) fn bounds(kind: &RepetitionKind) -> (u32, Option<u32>) {
    match kind {
        RepetitionKind::ZeroOrOne => (0, Some(1)),
        RepetitionKind::ZeroOrMore => (0, None),
        RepetitionKind::OneOrMore => (1, None),
        RepetitionKind::Range(RepetitionRange::Exactly(n)) => (*n, Some(*n)),
        RepetitionKind::Range(RepetitionRange::AtLeast(n)) => (*n, None),
        RepetitionKind::Range(RepetitionRange::Bounded(min, max)) => (*min, Some(*max)),
    }
}
