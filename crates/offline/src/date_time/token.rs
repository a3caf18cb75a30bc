//! A text as the grammar of days and times reads it: words in small letters, with the marks that
//! numbers are written with.

use super::super::word::plain;

/// A word, and how it was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Token {
    pub(super) word: String,
    pub(super) raw: String,
}

/// Characters that separate words, besides spaces.
const APART: &str = ",;?!()[]\"“”„";

/// The words of a text. `10-11` and `@10` are read as "10 to 11" and "at 10".
pub(crate) fn tokens(text: &str) -> Vec<Token> {
    let pieces = text.split(|letter: char| letter.is_whitespace() || APART.contains(letter));
    pieces.flat_map(piece).collect()
}

fn piece(raw: &str) -> Vec<Token> {
    let is_digit = |letter: Option<char>| letter.is_some_and(|letter| letter.is_ascii_digit());
    if let Some(behind) = raw.strip_prefix('@').filter(|rest| is_digit(rest.chars().next())) {
        return token("at").into_iter().chain(token(behind)).collect();
    }
    let range = raw.split_once(['-', '–']).filter(|(from, to)| {
        is_digit(from.chars().next()) && is_digit(to.chars().next()) && !to.contains('-')
    });
    match range {
        Some((from, to)) => [from, "to", to].into_iter().filter_map(token).collect(),
        None => token(raw).into_iter().collect(),
    }
}

fn token(raw: &str) -> Option<Token> {
    let bare = raw.trim_matches(|letter: char| !letter.is_alphanumeric());
    let letters = bare.chars().filter(|letter| !matches!(letter, '\'' | '\u{2019}'));
    let word: String = letters.flat_map(char::to_lowercase).map(plain).collect();
    (!word.is_empty()).then(|| Token { word, raw: raw.to_owned() })
}

/// The word at a place, or none.
pub(super) fn word(tokens: &[Token], at: usize) -> &str {
    tokens.get(at).map_or("", |token| token.word.as_str())
}

/// The word before a place, or none.
pub(super) fn before(tokens: &[Token], at: usize) -> &str {
    at.checked_sub(1).map_or("", |at| word(tokens, at))
}

/// Words as they were written.
pub(super) fn written(tokens: &[Token]) -> String {
    let raw = tokens.iter().map(|token| token.raw.trim_end_matches(['.', ':']));
    raw.collect::<Vec<_>>().join(" ")
}
