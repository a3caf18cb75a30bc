//! When and from which commit an artifact is built.

use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use aileron_compiler::emit::Stamp;

use crate::git;

/// The stamp of a build at this moment; `SOURCE_DATE_EPOCH` replaces the clock.
pub(crate) fn now(tools: &Path) -> Stamp {
    Stamp { git_commit: git::commit(tools), build_timestamp: Some(timestamp(seconds())) }
}

fn seconds() -> u64 {
    let fixed = std::env::var("SOURCE_DATE_EPOCH").ok().and_then(|text| text.parse().ok());
    fixed.unwrap_or_else(|| {
        SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
    })
}

/// Seconds since the Unix epoch as an RFC 3339 date-time.
fn timestamp(seconds: u64) -> String {
    let (year, month, day) = date(seconds / 86_400);
    let second = seconds % 86_400;
    let (hour, minute, second) = (second / 3_600, second / 60 % 60, second % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

/// The Gregorian date of a day counted from 1970-01-01.
///
/// Years are taken to begin in March, so that the leap day is the last of one,
/// and days are counted in eras of 400 years, which all have the same length.
fn date(day: u64) -> (u64, u64, u64) {
    const ERA: u64 = 146_097;
    const FROM_MARCH_OF_YEAR_ZERO: u64 = 719_468;
    let day = day + FROM_MARCH_OF_YEAR_ZERO;
    let (era, day) = (day / ERA, day % ERA);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (month, carry) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    (era * 400 + year + carry, month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_moments() {
        for (seconds, text) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_827_696, "2000-02-29T12:34:56Z"),
            (1_709_164_800, "2024-02-29T00:00:00Z"),
            (1_798_761_599, "2026-12-31T23:59:59Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"),
        ] {
            assert_eq!(timestamp(seconds), text);
        }
    }
}
