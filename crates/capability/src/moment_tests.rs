//! Moments, read and shown.

use super::gregorian::ERA;
use super::*;

fn ms(text: &str) -> Option<i64> {
    text.parse().ok().map(Moment::unix_ms)
}

#[test]
fn known_moments_are_read() {
    for (text, expected) in [
        ("1970-01-01T00:00:00Z", 0),
        ("1969-12-31T23:59:59.999Z", -1),
        ("2000-02-29T12:34:56Z", 951_827_696_000),
        ("2026-02-03T10:00:00+01:00", 1_770_109_200_000),
        ("2026-02-03t04:00:00.25-05:00", 1_770_109_200_250),
        ("2026-02-03 09:00:00z", 1_770_109_200_000),
        ("2016-12-31T23:59:60Z", 1_483_228_800_000),
        ("1970-01-01T00:00:00.99999Z", 999),
    ] {
        assert_eq!(ms(text), Some(expected), "{text}");
    }
}

#[test]
fn what_is_no_moment_is_refused() {
    for text in [
        "",
        "2026-02-03",
        "2026-02-03T10:00:00",
        "2026-02-30T10:00:00Z",
        "2026-13-01T10:00:00Z",
        "2026-02-03T24:00:00Z",
        "2026-02-03T10:00:00.Z",
        "2026-02-03T10:00:00+1:00",
        "2026-02-03T10:00:00 Europe/Berlin",
        "2026-02-0éT10:00:00Z",
        "+026-02-03T10:00:00Z",
    ] {
        assert_eq!(ms(text), None, "{text}");
    }
}

#[test]
fn a_moment_is_shown_at_an_offset() {
    let shown = |text: &str, offset: &str| {
        let moment: Moment = text.parse().unwrap();
        moment.at(offset.parse().unwrap()).to_string()
    };
    assert_eq!(shown("2025-12-31T23:30:00Z", "+05:30"), "2026-01-01T05:00:00+05:30");
    assert_eq!(shown("2026-01-01T00:00:00Z", "-00:30"), "2025-12-31T23:30:00-00:30");
    assert_eq!(shown("1969-07-20T20:17:40Z", "UTC"), "1969-07-20T20:17:40Z");
}

#[test]
fn every_day_of_four_centuries_is_read_as_it_is_shown() {
    for day in -ERA..ERA {
        let moment = Moment::from_unix_ms(day * DAY_MS);
        let local = moment.at(Offset::UTC);
        assert_eq!(local.to_string().parse(), Ok(moment));
        assert_eq!(i64::from(local.weekday), (day + 4).rem_euclid(7));
    }
}
