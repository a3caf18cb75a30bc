//! Messages that change an offer, and messages about something else.

use jiff::civil::{Date, Time};

use super::*;

fn check(expected: Option<Revision>, cases: &[&str]) {
    let time = Some(Time::constant(9, 30, 0, 0));
    let today = LocalDate { date: Date::constant(2026, 2, 3), time, offset: "+01:00".to_owned() };
    for text in cases {
        assert_eq!(of(text, Some(&today)), expected, "{text}");
    }
}

#[test]
fn a_day_a_time_or_a_length_changes_when() {
    check(
        Some(Revision::When),
        &[
            "actually make it Wednesday",
            "rather the afternoon",
            "Friday instead",
            "what about Friday at half past two?",
            "can we do 24.12. at 3pm?",
            "at 11",
            "make it an hour",
            "45 minutes please",
            "tomorrow morning would be better",
            "no, next week",
        ],
    );
}

#[test]
fn people_and_other_things_are_told_apart() {
    check(
        Some(Revision::Who),
        &["with Jon Bell instead", "add jon bell too", "with jon@example.com"],
    );
    check(Some(Revision::Other), &["make it bigger", "rather a cat", "make it a video call"]);
}

#[test]
fn words_about_something_else_change_nothing() {
    check(
        None,
        &[
            "what about Atlas?",
            "who leads Lantern?",
            "actually, who leads Lantern?",
            "what weekday is 3 February 2027?",
            "is Thursday a holiday?",
            "draw a boat instead",
            "Schedule an hour with Jon tomorrow",
            "Atlas is delivered on Friday",
            "thanks!",
        ],
    );
}

#[test]
fn a_change_is_told_without_the_words_that_ask_for_it() {
    for (line, expected) in [
        ("make it bigger", "bigger"),
        ("Please make it a red one.", "a red one"),
        ("rather a cat, please", "a cat"),
        ("a dog instead", "a dog"),
    ] {
        assert_eq!(change(line), expected, "{line}");
    }
}
