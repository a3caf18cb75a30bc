//! Dates, times and durations in the words.

use super::*;

fn tuesday() -> LocalDate {
    let time = Some(Time::constant(9, 30, 0, 0));
    LocalDate { date: Date::constant(2026, 2, 3), time, offset: "+01:00".to_owned() }
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
        ("on 12/24/2026", "2026-12-24"),
        ("24/12/2026", "2026-12-24"),
        ("24.12.2026 um 15 Uhr", "2026-12-24"),
        ("on 24.12. at 3pm", "2026-12-24"),
        ("am 1.2.", "2027-02-01"),
        ("5/5/2026", "2026-05-05"),
        ("on Fri at 9.30am", "2026-02-06"),
        ("next Sun", "2026-02-08"),
        ("Wed at 10", "2026-02-04"),
        ("Dienstag", "2026-02-10"),
        ("yesterday", "2026-02-02"),
        ("last Friday", "2026-01-30"),
        ("3 days ago", "2026-01-31"),
        ("a week from now", "2026-02-10"),
        ("in a month", "2026-03-03"),
        ("Friday next week", "2026-02-13"),
        ("next week, Thursday", "2026-02-12"),
        ("on the 2nd", "2026-03-02"),
    ] {
        assert_eq!(day_of(text).as_deref(), Some(expected), "{text}");
    }
    for text in [
        "soon",
        "in 99999999999 days",
        "31 February 2026",
        "2026-13-01",
        "3/4/2026",
        "the sun sat there",
        "version 1.2.26",
        "1.5 hours",
        "the 2nd one",
        "next week",
    ] {
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
        ("9.30am", "09:30"),
        ("at 9.30", "09:30"),
        ("Fri 9.30", "09:30"),
        ("um 15 Uhr", "15:00"),
        ("15h30", "15:30"),
        ("at 1530", "15:30"),
        ("at half past two", "02:30"),
        ("half past two in the afternoon", "14:30"),
        ("a quarter to three pm", "14:45"),
        ("a quarter to one", "12:45"),
        ("ten past four", "04:10"),
        ("at ten thirty", "10:30"),
        ("eleven o'clock", "11:00"),
        ("tonight at 8", "20:00"),
        ("from 10-11", "10:00"),
        ("@10", "10:00"),
        ("midnight", "00:00"),
    ] {
        assert_eq!(time_of(text).as_deref(), Some(expected), "{text}");
    }
    for text in [
        "30 minutes",
        "with 3 people",
        "at 99",
        "25:00",
        "12:5",
        "after 2 reviews",
        "at 99 High Street",
        "24.12.2026",
        "costs 3.50 euros",
    ] {
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
}

/// The days as `from+count`, the hours as `start-end`, and what is wrong.
fn told(text: &str) -> String {
    let today = tuesday();
    let wish = wish(text, Some(&today));
    if let Some(trouble) = wish.trouble(Some(&today)) {
        return format!("{trouble:?}");
    }
    let days = wish.span().map_or(String::new(), |span| format!("{}+{}", span.from, span.days));
    let start = wish.start(Some(&today)).map(|start| start.strftime("%d %H:%M").to_string());
    let hour = |time: Time| time.strftime("%H:%M").to_string();
    let window = wish.window().map(|(from, to)| format!("{}-{}", hour(from), hour(to)));
    let length = wish.minutes().map(|minutes| format!("{minutes} min"));
    let parts = [Some(days), start, window, length].into_iter().flatten();
    parts.filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
}

#[test]
fn a_wish_is_days_and_hours() {
    for (text, expected) in [
        ("next Tuesday at half past two", "2026-02-10+1 10 14:30"),
        ("tomorrow afternoon", "2026-02-04+1 13:00-18:00"),
        ("this morning", "2026-02-03+1 09:00-12:00"),
        ("tonight", "2026-02-03+1 18:00-22:00"),
        ("at 3pm", "03 15:00"),
        ("at 9", "04 09:00"),
        ("tomorrow at 3", "2026-02-04+1 04 15:00"),
        ("tomorrow at 03:00", "2026-02-04+1 04 03:00"),
        ("tomorrow from 10 to 11:30", "2026-02-04+1 04 10:00 90 min"),
        ("tomorrow 2-4pm", "2026-02-04+1 04 14:00 120 min"),
        ("tomorrow between 2 and 4", "2026-02-04+1 14:00-16:00"),
        ("tomorrow after 3pm", "2026-02-04+1 15:00-18:00"),
        ("tomorrow before noon", "2026-02-04+1 09:00-12:00"),
        ("next week", "2026-02-09+7"),
        ("this week", "2026-02-03+6"),
        ("by Friday", "2026-02-03+4"),
        ("after Wednesday", "2026-02-05+7"),
        ("between Wednesday and Friday", "2026-02-04+3"),
        ("in March", "2026-03-01+30"),
        ("in half an hour", "2026-02-03+1 03 10:00"),
        ("about the Friday review tomorrow at 10", "2026-02-04+1 04 10:00"),
        ("good morning, tomorrow", "2026-02-04+1"),
        ("as soon as possible", ""),
    ] {
        assert_eq!(told(text), expected, "{text}");
    }
}

#[test]
fn what_was_said_later_counts() {
    for (text, expected) in [
        ("tomorrow at 10\nmake it Friday", "2026-02-06+1 06 10:00"),
        ("tomorrow at 10\nrather the afternoon", "2026-02-04+1 13:00-18:00"),
        ("tomorrow at 10, no wait, Friday at 11", "2026-02-06+1 06 11:00"),
        ("yesterday at 10\nFriday", "2026-02-06+1 06 10:00"),
    ] {
        assert_eq!(told(text), expected, "{text}");
    }
}

#[test]
fn what_looks_like_a_day_or_a_time_and_is_none_is_told() {
    for (text, expected) in [
        ("February 31st at 10", "NoDay(\"February 31st\")"),
        ("on 31.2.2026", "NoDay(\"31.2.2026\")"),
        ("2026-02-31", "NoDay(\"2026-02-31\")"),
        ("on 3/4/2026", "TwoDays(\"3/4/2026\")"),
        ("next year", "NoDay(\"next year\")"),
        ("tomorrow at 25:00", "NoTime(\"25:00\")"),
        ("tomorrow at 10:75", "NoTime(\"10:75\")"),
        ("tomorrow at 99", "NoTime(\"99\")"),
        ("yesterday at 10", "Passed(\"Monday 2 February 2026, 10:00\")"),
        ("last week", "Passed(\"Sunday 1 February 2026\")"),
        ("today at 8", "Passed(\"Tuesday 3 February 2026, 08:00\")"),
        ("on 1 May 2020", "Passed(\"Friday 1 May 2020\")"),
    ] {
        assert_eq!(told(text), expected, "{text}");
    }
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
        ("two and a half hours", 150),
        ("in an hour, for 45 minutes", 45),
    ] {
        assert_eq!(minutes(text), Some(expected), "{text}");
    }
    assert_eq!(minutes("99999999999999999 hours"), None);
    assert_eq!(minutes("soon"), None);
    assert_eq!(minutes("in half an hour"), None);
}
