//! Finds phone numbers, and leaves dates, prices, addresses and order numbers alone.

use std::ops::Range;

use super::found::{Found, Hit};
use super::pattern::{Pattern, compiled, places};

static PHONE: Pattern =
    Pattern::new(|| compiled(r"(?<hit>(?:\+|\(\+?)?[0-9][0-9 ()./\u{a0}-]{4,24}[0-9])"));
static DATE: Pattern = Pattern::new(|| {
    compiled(concat!(
        r"^(?:[0-9]{4}[-./][0-9]{1,2}[-./][0-9]{1,2}|",
        r"[0-9]{1,2}[-./][0-9]{1,2}[-./][0-9]{2,4})(?-u:\b)",
    ))
});
static IPV4: Pattern = Pattern::new(|| compiled(r"^[0-9]{1,3}(?:\.[0-9]{1,3}){3}$"));
static LABEL: Pattern = Pattern::new(|| {
    compiled(r"(?-u:\b)(?i-u:tel|phone|mobile|mob|cell|fax|call)(?-u:\b)[^0-9\n]{0,12}$")
});

/// How far before a number its label may begin, in characters.
const LABEL_REACH: usize = 24;

/// The most digits of a number without its country.
const LONGEST_NATIONAL: usize = 11;

pub(super) fn find(text: &str, country_code: Option<&str>) -> Vec<Hit> {
    let hit = |place: Range<usize>| {
        let raw = text.get(place.clone())?;
        let (before, after) = (text.get(..place.start)?, text.get(place.end..)?);
        let e164 = international(raw, country_code);
        is_phone(raw, before, after).then(|| Found::Phone { raw: raw.to_owned(), e164 }.at(place))
    };
    places(&PHONE, text).into_iter().filter_map(hit).collect()
}

fn is_phone(raw: &str, before: &str, after: &str) -> bool {
    let digits = digits(raw).len();
    if !(7..=15).contains(&digits) || DATE.is_match(raw) || IPV4.is_match(raw) {
        return false;
    }
    if is_glued(before, after) {
        return false;
    }
    if names_its_country(raw) || raw.starts_with("00") {
        return true;
    }
    digits <= LONGEST_NATIONAL && (is_labelled(before) || is_grouped(raw))
}

/// Part of a longer word or number, or a price.
fn is_glued(before: &str, after: &str) -> bool {
    let sign = before.strip_suffix(' ').unwrap_or(before);
    before.ends_with(char::is_alphanumeric)
        || sign.ends_with(['#', '$', '€', '£'])
        || after.starts_with(|next: char| next.is_alphanumeric() || "%€".contains(next))
}

fn is_labelled(before: &str) -> bool {
    let start = before.char_indices().rev().take(LABEL_REACH).last();
    let near = start.and_then(|(start, _)| before.get(start..));
    near.is_some_and(|near| LABEL.is_match(near))
}

/// Written in groups, as a number to dial is: an area code in brackets, or two gaps, or one after a zero.
fn is_grouped(raw: &str) -> bool {
    let groups = raw.split([' ', '.', '/', '-', '\u{a0}']).filter(|group| !group.is_empty());
    match groups.count() {
        _ if raw.contains(')') => true,
        0 | 1 => false,
        2 => raw.starts_with('0'),
        _ => true,
    }
}

fn international(raw: &str, country_code: Option<&str>) -> Option<String> {
    let digits = digits(&raw.replacen("(0)", "", 1));
    if names_its_country(raw) {
        return Some(format!("+{digits}"));
    }
    if let Some(rest) = digits.strip_prefix("00") {
        return Some(format!("+{rest}"));
    }
    let national = digits.strip_prefix('0').unwrap_or(&digits);
    country_code.map(|code| format!("{code}{national}"))
}

fn names_its_country(raw: &str) -> bool {
    raw.strip_prefix('(').unwrap_or(raw).starts_with('+')
}

fn digits(raw: &str) -> String {
    raw.chars().filter(char::is_ascii_digit).collect()
}
