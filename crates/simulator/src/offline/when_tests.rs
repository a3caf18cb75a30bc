//! Dates, times and durations in the words.

use super::*;

fn tuesday() -> Today {
    let time = Some(Time::constant(9, 30, 0, 0));
    Today { date: Date::constant(2026, 2, 3), time, offset: "+01:00".to_owned() }
}

#[test]
fn the_date_stands_behind_a_clue_and_no_example_is_taken_for_it() {
    let given = today("Some text.\nToday is Tuesday, 2026-02-03T09:30:00+01:00.\n");
    assert_eq!(given, Some(tuesday()));
    let plain = today("Current date: 2026-02-03").unwrap();
    assert_eq!((plain.date, plain.offset.as_str()), (Date::constant(2026, 2, 3), "Z"));
    assert_eq!(today("{ \"value\": \"2026-02-03T10:00:00Z\" }"), None);
    assert_eq!(today("today is ümläutig ünd lang ünd länger, 2026-99-99"), None);
}

#[test]
fn days_are_counted_from_today() {
    let day_of = |text: &str| day(text, Some(&tuesday())).map(|day| day.to_string());
    for (text, expected) in [
        ("today", "2026-02-03"),
        ("tomorrow at 10", "2026-02-04"),
        ("the day after tomorrow", "2026-02-05"),
        ("in 3 days", "2026-02-06"),
        ("in two weeks", "2026-02-17"),
        ("on Friday", "2026-02-06"),
        ("next Tuesday", "2026-02-10"),
        ("2026-05-01", "2026-05-01"),
        ("3 March 2027", "2027-03-03"),
        ("the 5th of March", "2026-03-05"),
        ("January 5", "2027-01-05"),
    ] {
        assert_eq!(day_of(text).as_deref(), Some(expected), "{text}");
    }
    for text in ["soon", "in 99999999999 days", "31 February 2026", "2026-13-01"] {
        assert_eq!(day_of(text), None, "{text}");
    }
    assert_eq!(day("tomorrow", None), None);
}

#[test]
fn times_of_day_are_told_from_other_numbers() {
    let time_of = |text: &str| time(text).map(|time| time.strftime("%H:%M").to_string());
    for (text, expected) in [
        ("at 10", "10:00"),
        ("at 10:30", "10:30"),
        ("14:15 please", "14:15"),
        ("3 pm", "15:00"),
        ("12am", "00:00"),
        ("at noon", "12:00"),
        ("10 o'clock", "10:00"),
    ] {
        assert_eq!(time_of(text).as_deref(), Some(expected), "{text}");
    }
    for text in ["30 minutes", "with 3 people", "at 99", "25:00", "12:5"] {
        assert_eq!(time_of(text), None, "{text}");
    }
}

#[test]
fn moments_carry_the_offset_of_the_person() {
    let today = tuesday();
    assert_eq!(
        moment("tomorrow at 10", Some(&today)).as_deref(),
        Some("2026-02-04T10:00:00+01:00")
    );
    assert_eq!(moment("2026-02-03", None).as_deref(), Some("2026-02-03T00:00:00Z"));
    assert_eq!(
        moment("at 2026-02-03T10:00:00-05:00, please", None).as_deref(),
        Some("2026-02-03T10:00:00-05:00")
    );
    assert_eq!(exact_moment("tomorrow", Some(&today)), None);
}

#[test]
fn durations_are_counted_in_minutes() {
    for (text, expected) in [
        ("30 minutes", 30),
        ("a 45-minute review", 45),
        ("half an hour", 30),
        ("an hour", 60),
        ("two hours", 120),
        ("90min", 90),
        ("1h", 60),
        ("1.5 hours", 90),
        ("an hour and a half", 90),
    ] {
        assert_eq!(minutes(text), Some(expected), "{text}");
    }
    assert_eq!(minutes("99999999999999999 hours"), None);
    assert_eq!(minutes("soon"), None);
}
