//! Parsing and formatting of times.

use super::*;

const NOW: u64 = 1_800_000_000_000;

#[test]
fn moments_and_how_long_ago() {
    for (text, expected) in [
        ("2027-01-15T08:00:00Z", NOW),
        ("2027-01-15T10:00:00.250+02:00", NOW + 250),
        ("1970-01-01T00:00:00Z", 0),
        ("30s", NOW - 30_000),
        ("15m", NOW - 900_000),
        ("2h", NOW - 7_200_000),
        ("3d", NOW - 259_200_000),
        ("0s", NOW),
        ("99999999d", 0),
    ] {
        assert_eq!(parse_at(text, NOW), Ok(expected), "{text}");
    }
}

#[test]
fn what_is_no_moment_is_refused() {
    for text in [
        "",
        "m",
        "15",
        "-15m",
        "+15m",
        "1.5h",
        "15 m",
        "15ä",
        "yesterday",
        "2027-01-15",
        "2027-01-15T08:00:00",
        "2027-13-01T00:00:00Z",
        "99999999999999999999d",
        "9999999999999999999d",
        "1969-12-31T23:59:59Z",
    ] {
        assert!(parse_at(text, NOW).is_err(), "{text}");
    }
}

#[test]
fn written_in_utc_with_milliseconds() {
    assert_eq!(written(NOW + 7), "2027-01-15T08:00:00.007Z");
    assert_eq!(written(0), "1970-01-01T00:00:00.000Z");
    assert_eq!(written(u64::MAX), "18446744073709551615 ms");
}

#[test]
fn a_limit_is_a_day_a_moment_or_how_long_ago() {
    for text in ["2026-01-31", "2026-01-31T12:00:00Z", "2026-01-31T12:00:00+01:00"] {
        assert_eq!(limit(text), Ok(text.to_owned()));
    }
    let ago = limit("2h").unwrap();
    assert!(ago.parse::<Timestamp>().is_ok(), "{ago}");
    for text in ["", "yesterday", "2026-02-30", "20260131", "2026-01-31T12:00", "31.01.2026"] {
        assert_eq!(limit(text), Err(EXPECTED_LIMIT.to_owned()), "{text}");
    }
}
