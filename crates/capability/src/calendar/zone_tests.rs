//! Names, offsets, and the two nights on which clocks are changed.

use super::*;

fn zone(name: &str) -> Zone {
    Zone::named(name).unwrap()
}

fn local(text: &str) -> DateTime {
    text.parse().unwrap()
}

#[test]
fn a_zone_is_named_or_an_offset() {
    for (text, name) in [
        ("Europe/Berlin", "Europe/Berlin"),
        ("UTC", "UTC"),
        ("Z", "UTC"),
        ("+01:00", "+01:00"),
        ("-03:30", "-03:30"),
        ("+00:00", "UTC"),
    ] {
        assert_eq!(zone(text).name(), name, "{text}");
    }
    for text in ["", "Berlin", "+1:00", "+15:00", "+01:60", "01:00", "../etc/passwd", "+é1:00"] {
        assert_eq!(Zone::named(text), Err(ZoneError::Unknown(text.to_owned())), "{text}");
    }
}

#[test]
fn the_offset_is_that_of_the_day() {
    let berlin = zone("Europe/Berlin");
    let winter = berlin.moment(local("2026-01-15T10:00:00")).unwrap();
    let summer = berlin.moment(local("2026-07-15T10:00:00")).unwrap();
    assert_eq!(berlin.rfc3339(winter), "2026-01-15T10:00:00+01:00");
    assert_eq!(berlin.rfc3339(summer), "2026-07-15T10:00:00+02:00");
    assert_eq!(zone("UTC").rfc3339(summer), "2026-07-15T08:00:00Z");
}

#[test]
fn an_hour_that_does_not_exist_is_named() {
    let berlin = zone("Europe/Berlin");
    let error = berlin.exact_moment(local("2026-03-29T02:30:00")).unwrap_err();
    assert_eq!(
        error.to_string(),
        "2026-03-29T02:30 does not exist in Europe/Berlin: the clocks go forward over it, to 03:30"
    );
    let read = berlin.moment(local("2026-03-29T02:30:00")).unwrap();
    assert_eq!(berlin.rfc3339(read), "2026-03-29T03:30:00+02:00");
}

#[test]
fn an_hour_that_comes_twice_is_the_first() {
    let berlin = zone("Europe/Berlin");
    let first = berlin.exact_moment(local("2026-10-25T02:30:00")).unwrap();
    assert_eq!(berlin.rfc3339(first), "2026-10-25T02:30:00+02:00");
}

#[test]
fn a_zone_of_its_own_changes_shows_their_clocks() {
    let at = |text: &str| text.parse::<Timestamp>().unwrap();
    let changes = [(at("2026-03-08T07:00:00Z"), -14_400), (at("2026-11-01T06:00:00Z"), -18_000)];
    let zone = Zone::of_changes("Ours", -18_000, &changes).unwrap();
    for (moment, shown) in [
        ("2020-07-01T12:00:00Z", "2020-07-01T07:00:00-05:00"),
        ("2026-07-01T12:00:00Z", "2026-07-01T08:00:00-04:00"),
        ("2040-07-01T12:00:00Z", "2040-07-01T07:00:00-05:00"),
    ] {
        assert_eq!(zone.rfc3339(at(moment)), shown);
    }
    let gap = zone.exact_moment("2026-03-08T02:30".parse().unwrap()).unwrap_err();
    assert!(gap.to_string().contains("does not exist in Ours"), "{gap}");
    assert_eq!(Zone::of_changes("Ours", 500_000, &[]), None);
    assert!(Zone::named("Etc/Unknown").is_err());
}
