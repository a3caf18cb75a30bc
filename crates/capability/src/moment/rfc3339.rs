//! Reads what RFC 3339 writes.

use std::ops::RangeInclusive;

use super::gregorian::{date, day_count};
use super::{DAY_MS, HOUR_MS, MINUTE_MS, small};

/// `2026-02-03T10:00:00.5+01:00` as milliseconds since the epoch.
pub(super) fn moment(text: &str) -> Option<i64> {
    let (date, rest) = text.split_at_checked(10)?;
    let rest = rest.strip_prefix(['T', 't', ' '])?;
    let (time, rest) = rest.split_at_checked(8)?;
    let zone = rest.find(['Z', 'z', '+', '-'])?;
    let (fraction, zone) = rest.split_at_checked(zone)?;
    let local = read_date(date)? * DAY_MS + read_time(time)? + read_fraction(fraction)?;
    Some(local - i64::from(offset(zone)?) * MINUTE_MS)
}

/// `Z`, `UTC` or `+hh:mm` as minutes ahead of UTC.
pub(super) fn offset(text: &str) -> Option<i32> {
    if text.eq_ignore_ascii_case("z") || text.eq_ignore_ascii_case("utc") {
        return Some(0);
    }
    let (sign, time) = match text.split_at_checked(1)? {
        ("+", time) => (1, time),
        ("-", time) => (-1, time),
        _ => return None,
    };
    let (hours, minutes) = time.split_once(':')?;
    let minutes = number(hours, 2, 0..=23)? * 60 + number(minutes, 2, 0..=59)?;
    i32::try_from(sign * minutes).ok()
}

/// The day, counted from 1970-01-01.
fn read_date(text: &str) -> Option<i64> {
    let mut parts = text.splitn(3, '-');
    let year = number(parts.next()?, 4, 0..=9999)?;
    let month = number(parts.next()?, 2, 1..=12)?;
    let day = number(parts.next()?, 2, 1..=31)?;
    let count = day_count(year, month, day);
    (date(count) == (year, small(month), small(day))).then_some(count)
}

fn read_time(text: &str) -> Option<i64> {
    let mut parts = text.splitn(3, ':');
    let hour = number(parts.next()?, 2, 0..=23)?;
    let minute = number(parts.next()?, 2, 0..=59)?;
    // A leap second is the first of the next minute.
    let second = number(parts.next()?, 2, 0..=60)?;
    Some(hour * HOUR_MS + minute * MINUTE_MS + second * 1000)
}

/// `.5` as milliseconds, rounded, but never up to a whole second.
fn read_fraction(text: &str) -> Option<i64> {
    let Some(digits) = text.strip_prefix('.') else {
        return text.is_empty().then_some(0);
    };
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let padded: String = digits.chars().chain("0000".chars()).take(4).collect();
    let tenths: i64 = padded.parse().ok()?;
    Some(((tenths + 5) / 10).min(999))
}

fn number(text: &str, digits: usize, range: RangeInclusive<i64>) -> Option<i64> {
    let plain = text.len() == digits && text.bytes().all(|byte| byte.is_ascii_digit());
    let number = plain.then(|| text.parse().ok())??;
    range.contains(&number).then_some(number)
}
