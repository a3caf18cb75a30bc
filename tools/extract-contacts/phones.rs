//! Finds phone numbers. A run of digits counts only with evidence: a country code, a label, or the
//! way numbers are grouped. Dates, times, amounts, identifiers and network addresses are left out.

use std::ops::Range;

use super::dialling::{calling_code, international};
use super::found::{Found, Hit, Phone};
use super::pattern::{Pattern, compiled, places};

/// Groups of digits with the marks that people put between them.
static RUN: Pattern = Pattern::new(|| {
    compiled(concat!(
        r"(?<hit>(?:\(\+|\+\(?|\()?[0-9]+",
        r"(?:[ ./()\u{a0}\u{2010}\u{2011}\u{2013}-]{1,3}[0-9]+)*)",
    ))
});

/// Groups of digits that are no phone number.
static OTHER: Pattern = Pattern::new(|| {
    compiled(concat!(
        // Dates, by year or by day first.
        r"^(?:(?:19|20)[0-9]{2}[-./ ](?:0?[1-9]|1[0-2])[-./ ](?:0?[1-9]|[12][0-9]|3[01])(?:[^0-9]|$)",
        r"|[0-9]{1,2}[-./][0-9]{1,2}[-./](?:19|20)?[0-9]{2}(?:[^0-9]|$)",
        // Years in a row.
        r"|(?:(?:19|20)[0-9]{2}[^0-9]{1,3})*(?:19|20)[0-9]{2}$",
        // Times of day, and network addresses.
        r"|[0-2]?[0-9]\.[0-5][0-9][^0-9]{1,3}[0-2]?[0-9]\.[0-5][0-9]$",
        r"|[0-9]{1,3}(?:\.[0-9]{1,3}){3}$",
        // A social security number.
        r"|[0-9]{3}-[0-9]{2}-[0-9]{4}$)",
    ))
});
/// `1 200 300`: thousands, or three groups of a phone number.
static THOUSANDS: Pattern = Pattern::new(|| compiled(r"^[1-9][0-9]{0,2}(?:[ .\u{a0}][0-9]{3})+$"));
/// `212-555-0100`, `1-212-555-0100`
static NORTH_AMERICAN: Pattern =
    Pattern::new(|| compiled(r"^(?:1[-. ])?[2-9][0-9]{2}[-. ][2-9][0-9]{2}[-. ][0-9]{4}$"));
/// Three groups and more with one mark between all of them.
static EVEN: Pattern = Pattern::new(|| {
    compiled(r"^[0-9]{2,4}(?:(?: [0-9]{2,4}){2,}|(?:-[0-9]{2,4}){2,}|(?:\.[0-9]{2,4}){2,})$")
});

static LABEL: Pattern = Pattern::new(|| {
    compiled(concat!(
        r"(?-u:\b)(?i-u:tel|telephone|telefon|phone|mobile|mob|cell|fax|call|dial|whatsapp)",
        r"(?-u:\b)[^0-9\n]{0,12}$",
    ))
});
/// Words before a number that identifies something.
static IDENTIFIER: Pattern = Pattern::new(|| {
    compiled(concat!(
        r"(?-u:\b)(?i-u:order|invoice|reference|ref|id|isbn|issn|ean|account|acct|iban|card|ticket",
        r"|tracking|serial|sku|case|customer|vat|tax|code|booking|version|part|patent|doi)(?-u:\b)",
        r"[\s.:#-]{0,3}(?i-u:(?:no|nr|number|id|code)(?-u:\b)[\s.:#-]{0,3})?$",
    ))
});
static AMOUNT_BEFORE: Pattern =
    Pattern::new(|| compiled(r"(?:[$€£¥#]|(?-u:\b)(?:EUR|USD|GBP|CHF|JPY|Rs))[ \u{a0}]?$"));
static AMOUNT_AFTER: Pattern = Pattern::new(|| {
    compiled(
        r"^(?:,[0-9]|[ \u{a0}]?(?:[%€$£¥]|(?i-u:EUR|USD|GBP|CHF|JPY|euros?|dollars|pounds)(?-u:\b)))",
    )
});
static EXTENSION: Pattern = Pattern::new(|| {
    compiled(concat!(
        r"^(?:[ ,;]{0,2}(?i-u:ext(?:ension)?|x|durchwahl)(?:[ .:=]{0,2})| ?#)",
        r"(?<hit>[0-9]{1,6})(?-u:\b)",
    ))
});

/// How far before a number its label may begin, in characters.
const LABEL_REACH: usize = 28;

pub(super) fn find(text: &str, country_code: Option<&str>) -> Vec<Hit> {
    let runs = places(&RUN, text).into_iter().flat_map(|run| separate(text, run));
    runs.filter_map(|place| phone(text, place, country_code)).collect()
}

/// "030 1234567 / 0171 2345678" are two numbers.
fn separate(text: &str, run: Range<usize>) -> Vec<Range<usize>> {
    let raw = text.get(run.clone()).unwrap_or_default();
    let mut start = run.start;
    let parts = raw.split(" / ").map(|part| {
        let place = start..start + part.len();
        start = place.end + " / ".len();
        place
    });
    parts.collect()
}

fn phone(text: &str, place: Range<usize>, country_code: Option<&str>) -> Option<Hit> {
    let raw = text.get(place.clone())?;
    // A bracket around the whole belongs to the sentence.
    let skipped = usize::from(raw.starts_with('(') && !raw.contains(')'));
    let place = place.start + skipped..place.end;
    let raw = raw.get(skipped..)?;
    let (before, after) = (text.get(..place.start)?, text.get(place.end..)?);
    let extension = extension(after);
    let apart = !is_glued(before, after, extension.is_some());
    let e164 = international(raw, country_code);
    let is_phone = apart && is_number(raw, before, after, country_code.is_some());
    is_phone.then(|| Found::Phone(Phone { raw: raw.to_owned(), e164, extension }).at(place))
}

fn extension(after: &str) -> Option<String> {
    let captures = EXTENSION.captures(after)?;
    captures.name("hit").map(|digits| digits.as_str().to_owned())
}

/// Whether the digits are part of a longer word, number or address.
fn is_glued(before: &str, after: &str, extended: bool) -> bool {
    let digit = |text: Option<char>| text.is_some_and(|letter| letter.is_ascii_digit());
    let in_a_word =
        |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '@' | '=' | '&');
    let clock = before.strip_suffix([':', ',']).is_some_and(|rest| digit(rest.chars().next_back()));
    let runs_on = after.strip_prefix(':').is_some_and(|rest| digit(rest.chars().next()));
    before.ends_with(in_a_word)
        || clock
        || runs_on
        || (!extended && after.starts_with(in_a_word))
        || after.starts_with("-X")
}

fn is_number(raw: &str, before: &str, after: &str, country_known: bool) -> bool {
    let count = raw.bytes().filter(u8::is_ascii_digit).count();
    let bare = raw.trim_start_matches('(');
    if bare.starts_with('+') {
        return calling_code(raw).is_some();
    }
    let labelled = ends_with(&LABEL, before);
    let other =
        OTHER.is_match(raw) || AMOUNT_BEFORE.is_match(before) || AMOUNT_AFTER.is_match(after);
    if other || (!labelled && ends_with(&IDENTIFIER, before)) {
        return false;
    }
    if labelled {
        return (6..=13).contains(&count);
    }
    match bare.strip_prefix("00") {
        Some(_) => is_grouped(raw) && calling_code(raw).is_some(),
        None => (7..=11).contains(&count) && is_national(raw, country_known),
    }
}

/// Whether digits are grouped as numbers to dial are.
fn is_national(raw: &str, country_known: bool) -> bool {
    let bracketed = raw.starts_with('(') || raw.contains(" (");
    let first = raw.split(|letter: char| !letter.is_ascii_digit()).next().unwrap_or_default();
    let trunk = first.starts_with('0') && first.len() > 1;
    let even = EVEN.is_match(raw) && !THOUSANDS.is_match(raw);
    bracketed
        || (trunk && (is_grouped(raw) || country_known))
        || NORTH_AMERICAN.is_match(raw)
        || even
        || (country_known && is_grouped(raw) && first.len() > 1)
}

fn is_grouped(raw: &str) -> bool {
    raw.contains(|letter: char| !letter.is_ascii_digit())
}

/// Whether a text ends with a pattern that looks back a little.
fn ends_with(pattern: &Pattern, before: &str) -> bool {
    let start = before.char_indices().rev().take(LABEL_REACH).last();
    let near = start.and_then(|(start, _)| before.get(start..));
    near.is_some_and(|near| pattern.is_match(near))
}
