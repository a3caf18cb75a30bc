//! Dates and times in words.

use super::numbers::{cardinal, ordinal, year};

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// Whether this is a month's name, or its abbreviation.
pub(super) fn is_month(word: &str) -> bool {
    let lower = word.to_lowercase();
    let names = MONTHS.map(str::to_lowercase);
    names.iter().any(|month| {
        *month == lower || (lower.len() >= 3 && lower.len() <= 4 && month.starts_with(&lower))
    })
}

/// "2026-11-18", with or without a time after a T, and "11/18/2026".
pub(super) fn date(text: &str) -> Option<String> {
    if let Some((day, time)) = text.split_once('T')
        && day.len() == 10
    {
        let time = clock(time.get(..5)?)?;
        return Some(format!("{} at {time}", date(day)?));
    }
    let (y, m, d) = if text.len() == 10 && text.matches('-').count() == 2 {
        let mut parts = text.split('-');
        (parts.next()?, parts.next()?, parts.next()?)
    } else if text.matches('/').count() == 2 {
        let mut parts = text.split('/');
        let (m, d, y) = (parts.next()?, parts.next()?, parts.next()?);
        (y, m, d)
    } else {
        return None;
    };
    let (y, m, d) = (number(y)?, number(m)?, number(d)?);
    let month = MONTHS.get(usize::try_from(m).ok()?.checked_sub(1)?)?;
    let is_valid = (1..=31).contains(&d) && (1000..=2999).contains(&y);
    is_valid.then(|| format!("{month} {}, {}", ordinal(d), year(y)))
}

/// "14:30", "9:05" and "7:00"; hours past twelve keep the clock of 24 hours.
pub(super) fn clock(text: &str) -> Option<String> {
    let (hours, minutes) = text.split_once(':')?;
    let minutes = minutes.get(..2).filter(|_| minutes.len() == 2 || minutes.len() == 5)?;
    let (h, m) = (number(hours)?, number(minutes)?);
    if h > 23 || m > 59 {
        return None;
    }
    Some(match (h, m) {
        (0, 0) => "midnight".to_owned(),
        (13.., 0) => format!("{} hundred", cardinal(h)),
        (_, 0) => format!("{} o'clock", cardinal(h)),
        (_, 1..=9) => format!("{} oh {}", cardinal(h), cardinal(m)),
        _ => format!("{} {}", cardinal(h), cardinal(m)),
    })
}

/// A number of at most four digits and nothing else.
fn number(text: &str) -> Option<u64> {
    let fits = (1..=4).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit());
    fits.then(|| text.parse().ok()).flatten()
}
