//! Gregorian dates as days counted from 1970-01-01. Years are taken to begin in March, so that
//! the leap day is the last of one.

use super::small;

/// Days in 400 years, which are always the same.
pub(super) const ERA: i64 = 146_097;
/// From the first of March of the year 0, where both functions below begin, to the epoch.
const EPOCH: i64 = 719_468;

/// The day of a date.
pub(super) fn day_count(year: i64, month: i64, day: i64) -> i64 {
    let year = if month > 2 { year } else { year - 1 };
    let (era, year) = (year.div_euclid(400), year.rem_euclid(400));
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * ERA + year * 365 + year / 4 - year / 100 + day_of_year - EPOCH
}

/// The date of a day.
pub(super) fn date(count: i64) -> (i64, u8, u8) {
    let (era, day) = ((count + EPOCH).div_euclid(ERA), (count + EPOCH).rem_euclid(ERA));
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (month, carry) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    (era * 400 + year + carry, small(month), small(day))
}
