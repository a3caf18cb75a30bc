//! Dates in filters.

use super::*;

fn check(start: Option<&str>, end: Option<&str>) -> Result<Option<(i64, i64)>, DateError> {
    range(&DateRange { start: start.map(str::to_owned), end: end.map(str::to_owned) })
}

const DAY: i64 = 86_400_000_000;

#[test]
fn a_day_is_all_of_the_day() {
    assert_eq!(check(Some("1970-01-02"), Some("1970-01-02")), Ok(Some((DAY, 2 * DAY - 1))));
}

#[test]
fn instants_are_compared_over_offsets() {
    let same = check(Some("1970-01-02T00:00:00Z"), Some("1970-01-02T02:00:00+02:00"));
    assert_eq!(same, Ok(Some((DAY, DAY))));
}

#[test]
fn an_open_side_has_no_limit() {
    assert_eq!(check(None, None), Ok(None));
    assert_eq!(check(Some("1970-01-02"), None), Ok(Some((DAY, i64::MAX))));
    assert_eq!(check(None, Some("1970-01-01T00:00:00Z")), Ok(Some((i64::MIN, 0))));
}

#[test]
fn an_invalid_date_is_named() {
    for text in ["", "yesterday", "2026-13-01", "2026-02-30", "20260101", "'; drop table"] {
        let error = check(None, Some(text)).unwrap_err();
        assert_eq!(error, DateError::Unreadable { which: "end", found: text.to_owned() });
        assert!(error.to_string().starts_with("expected end to be a date"));
    }
}

#[test]
fn limits_the_wrong_way_round_are_refused() {
    let error = check(Some("2026-02-01"), Some("2026-01-01")).unwrap_err();
    assert_eq!(
        error.to_string(),
        "expected start to be before end, found 2026-02-01 after 2026-01-01"
    );
}
