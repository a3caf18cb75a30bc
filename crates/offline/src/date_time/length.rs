//! Lengths of time.

use super::token::{Token, tokens, word};
use crate::word::number;

/// A length of time in minutes. "In 30 minutes" is a moment, no length.
pub(crate) fn minutes(text: &str) -> Option<i64> {
    let tokens = tokens(&text.replace('-', " "));
    let mut at = 0;
    while at < tokens.len() {
        match (ahead(&tokens, at), at_place(&tokens, at)) {
            (Some((_, count)), _) => at += count,
            (None, Some((minutes, _))) => return Some(minutes),
            (None, None) => at += 1,
        }
    }
    None
}

/// How far ahead "in 30 minutes" and "in an hour" are, with the number of words.
pub(super) fn ahead(tokens: &[Token], at: usize) -> Option<(i64, usize)> {
    let (minutes, count) = at_place(tokens, at + 1).filter(|_| word(tokens, at) == "in")?;
    Some((minutes, count + 1))
}

/// The length that begins at a place, with the number of words.
pub(super) fn at_place(tokens: &[Token], at: usize) -> Option<(i64, usize)> {
    let word = |ahead: usize| word(tokens, at + ahead);
    match [word(0), word(1), word(2), word(3), word(4)] {
        ["half", "an", "hour", ..] => return Some((30, 3)),
        ["half", "hour", ..] => return Some((30, 2)),
        ["quarter", "of", "an", "hour", ..] => return Some((15, 4)),
        ["an" | "one" | "1", "hour", "and", "a", "half"] => return Some((90, 5)),
        [count, "and", "a", "half", "hours"] => {
            let hours = number(count).filter(|hours| (0..24).contains(hours))?;
            return Some((hours * 60 + 30, 5));
        }
        _ => {}
    }
    let glued = word(0).find(|letter: char| letter.is_ascii_alphabetic()).filter(|cut| *cut > 0);
    let (count, name, taken) = match glued {
        Some(cut) => (word(0).split_at(cut).0, word(0).split_at(cut).1, 1),
        None => (word(0), word(1), 2),
    };
    let each = each(name)?;
    let minutes = match count {
        "a" | "an" => Some(each),
        count => match number(count) {
            Some(count) => count.checked_mul(each),
            None => fraction(count).map(|count| (count * each as f64).round() as i64),
        },
    };
    minutes.filter(|minutes| (1..=100_000).contains(minutes)).map(|minutes| (minutes, taken))
}

/// `1.5`
fn fraction(word: &str) -> Option<f64> {
    let digits = word.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    word.parse::<f64>().ok().filter(|number| digits && *number < 1000.0)
}

fn each(unit: &str) -> Option<i64> {
    match unit {
        "m" | "min" | "mins" | "minute" | "minutes" => Some(1),
        "h" | "hr" | "hrs" | "hour" | "hours" => Some(60),
        _ => None,
    }
}
