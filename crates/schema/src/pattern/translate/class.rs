//! Sets of characters: classes in brackets, `\d` and similar escapes, properties of Unicode.
//!
//! A class is written as one pair of brackets without nested ones, which every engine reads the
//! same way.

use std::fmt::Write;

use oxc_regular_expression::ast::{
    CharacterClass, CharacterClassContents, CharacterClassEscapeKind, Term, UnicodePropertyEscape,
};

type Range = (u32, u32);

/// Any character but a line terminator.
pub(super) const DOT: &str = r"[^\u{a}\u{d}\u{2028}\u{2029}]";

/// No character at all, and any character.
pub(super) const NEVER: &str = r"[^\u{0}-\u{10ffff}]";
const ANY: &str = r"[\u{0}-\u{10ffff}]";

/// The characters that `\w` matches.
pub(super) const WORD_CLASS: &str = "[0-9A-Za-z_]";

const DIGITS: &[Range] = &[(0x30, 0x39)];
const WORDS: &[Range] = &[(0x30, 0x39), (0x41, 0x5a), (0x5f, 0x5f), (0x61, 0x7a)];

/// White space and line terminators of ECMA-262.
const SPACES: &[Range] = &[
    (0x9, 0xd),
    (0x20, 0x20),
    (0xa0, 0xa0),
    (0x1680, 0x1680),
    (0x2000, 0x200a),
    (0x2028, 0x2029),
    (0x202f, 0x202f),
    (0x205f, 0x205f),
    (0x3000, 0x3000),
    (0xfeff, 0xfeff),
];

const LAST: u32 = 0x10_ffff;
const SURROGATES: Range = (0xd800, 0xdfff);

/// Whether a term always matches exactly one character.
pub(super) fn is_one_character(term: &Term<'_>) -> bool {
    matches!(
        term,
        Term::Character(_)
            | Term::Dot(_)
            | Term::CharacterClassEscape(_)
            | Term::UnicodePropertyEscape(_)
            | Term::CharacterClass(_)
    )
}

/// Writes a class in brackets.
pub(super) fn push(text: &mut String, class: &CharacterClass<'_>) {
    let mut items = String::new();
    class.body.iter().for_each(|part| push_part(&mut items, part));
    match (items.is_empty(), class.negative) {
        (true, false) => text.push_str(NEVER),
        (true, true) => text.push_str(ANY),
        (false, false) => text.push_str(&format!("[{items}]")),
        (false, true) => text.push_str(&format!("[^{items}]")),
    }
}

/// Writes `\d`, `\S` and similar escapes outside of brackets.
pub(super) fn push_escape(text: &mut String, kind: CharacterClassEscapeKind) {
    text.push('[');
    push_ranges(text, &ranges(kind));
    text.push(']');
}

/// Writes `\p{...}`, the same inside of brackets and outside.
pub(super) fn push_property(text: &mut String, property: &UnicodePropertyEscape<'_>) {
    let letter = if property.negative { 'P' } else { 'p' };
    // Writing into a text cannot fail.
    let _ = match &property.value {
        Some(value) => write!(text, r"\{letter}{{{}={value}}}", property.name),
        None => write!(text, r"\{letter}{{{}}}", property.name),
    };
}

fn push_part(items: &mut String, part: &CharacterClassContents<'_>) {
    match part {
        CharacterClassContents::CharacterClassRange(range) => {
            push_ranges(items, &[(range.min.value, range.max.value)]);
        }
        CharacterClassContents::CharacterClassEscape(escape) => {
            push_ranges(items, &ranges(escape.kind));
        }
        CharacterClassContents::UnicodePropertyEscape(property) => push_property(items, property),
        CharacterClassContents::Character(one) => push_ranges(items, &[(one.value, one.value)]),
        // Only the `v` flag has these.
        CharacterClassContents::NestedCharacterClass(_)
        | CharacterClassContents::ClassStringDisjunction(_) => {}
    }
}

fn ranges(kind: CharacterClassEscapeKind) -> Vec<Range> {
    match kind {
        CharacterClassEscapeKind::D => DIGITS.to_vec(),
        CharacterClassEscapeKind::NegativeD => all_but(DIGITS),
        CharacterClassEscapeKind::S => SPACES.to_vec(),
        CharacterClassEscapeKind::NegativeS => all_but(SPACES),
        CharacterClassEscapeKind::W => WORDS.to_vec(),
        CharacterClassEscapeKind::NegativeW => all_but(WORDS),
    }
}

fn all_but(ranges: &[Range]) -> Vec<Range> {
    let mut others = Vec::with_capacity(ranges.len() + 1);
    let mut next = 0;
    for (first, last) in ranges {
        others.push((next, first - 1));
        next = last + 1;
    }
    others.push((next, LAST));
    others
}

fn push_ranges(items: &mut String, ranges: &[Range]) {
    for (first, last) in ranges {
        // A lone surrogate occurs in no text and in no range of these engines.
        let is_half = |code: &u32| (SURROGATES.0..=SURROGATES.1).contains(code);
        let first = if is_half(first) { SURROGATES.1 + 1 } else { *first };
        let last = if is_half(last) { SURROGATES.0 - 1 } else { *last };
        if first > last {
            continue;
        }
        push_code(items, first);
        if first != last {
            items.push('-');
            push_code(items, last);
        }
    }
}

fn push_code(items: &mut String, code: u32) {
    match char::from_u32(code) {
        Some(c) if c.is_ascii_alphanumeric() => items.push(c),
        _ => items.push_str(&format!(r"\u{{{code:x}}}")),
    }
}
