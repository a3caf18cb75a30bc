//! Skipped events make no difference: the part has the same busy times on its days as the whole.

use aileron_capability::calendar::Zone;

use super::super::BusyOptions;
use super::super::busy::{BusyText, busy_times};
use super::*;
use crate::window::TimeWindow;

const FEBRUARY: (&str, &str) = ("2026-02-01T00:00:00Z", "2026-03-01T00:00:00Z");

fn february() -> TimeWindow {
    TimeWindow::read(FEBRUARY.0, FEBRUARY.1).unwrap()
}

fn calendar(events: &str) -> String {
    format!("BEGIN:VCALENDAR\r\nVERSION:2.0\r\n{events}END:VCALENDAR\r\n")
}

fn event(lines: &str) -> String {
    format!("BEGIN:VEVENT\r\nUID:it\r\n{lines}\r\nEND:VEVENT\r\n")
}

fn told(text: &str) -> BusyText {
    let zone = Zone::named("Pacific/Kiritimati").unwrap();
    let reading = BusyOptions { owner: Some("mira@example.com"), zone: &zone, window: february() };
    let mut told = busy_times(text, &reading);
    told.times.sort();
    told
}

/// The part of a text for February, which must have the same busy times; faults outside of it do
/// not count for this month.
fn part(text: &str) -> String {
    let part = Outline::of(text).within(&Days::around(&february())).into_owned();
    let (whole, less) = (told(text), told(&part));
    assert_eq!(whole.times, less.times, "{text}\n---\n{part}");
    assert!(less.unreadable.is_none() || whole.unreadable.is_some(), "{text}\n---\n{part}");
    part
}

fn is_left_out(lines: &str) -> bool {
    let kept = event("DTSTART:20260210T090000Z\r\nDTEND:20260210T100000Z");
    let text = calendar(&format!("{}{kept}", event(lines)));
    part(&text) == calendar(&kept)
}

#[test]
fn what_is_surely_elsewhere_is_left_out() {
    for lines in [
        "DTSTART:20250210T090000Z\r\nDTEND:20250210T100000Z",
        "DTSTART;TZID=Europe/Berlin:20270210T090000\r\nDURATION:PT1H",
        "DTSTART;VALUE=DATE:20260320",
        "dtstart:20250210T090000Z\r\nduration:P2W",
        "DTSTART;TZID=\"(UTC+01:00) Amsterdam\\, Berlin\\, Bern\\, Rome\\, Stockholm\\, \r\n Vienna\":20250210T090000",
        "DTSTART:20250210T090000Z\r\nRRULE:FREQ=DAILY;UNTIL=20251101T000000Z",
        "DTSTART:20260401T090000Z\r\nRRULE:FREQ=DAILY",
        "DTSTART:20250210T090000Z\r\nBEGIN:VALARM\r\nTRIGGER:-PT5M\r\nDURATION:P900D\r\nEND:VALARM",
        "DTSTART:20250210T090000Z\r\nDESCRIPTION:a long\r\n  line\r\n\tthat goes on",
    ] {
        assert!(is_left_out(lines), "{lines}");
    }
}

#[test]
fn what_may_be_in_the_way_stays() {
    for lines in [
        "DTSTART:20260201T090000Z",
        "DTSTART:20260131T233000Z\r\nDURATION:PT1H",
        "DTSTART:20250101T000000Z\r\nDTEND:20270101T000000Z",
        "DTSTART:20250101T000000Z\r\nDURATION:P500D",
        "DTSTART:20250101T000000Z\r\nDURATION:P60WT5M",
        "DTSTART:20200101T090000Z\r\nRRULE:FREQ=DAILY",
        "DTSTART:20200101T090000Z\r\nRRULE:FREQ=MONTHLY;COUNT=900",
        "DTSTART:20200101T090000Z\r\nRRULE:FREQ=DAILY;UNTIL=20260220",
        "DTSTART:20251201T090000Z\r\nDTEND:20260120T090000Z\r\nRRULE:FREQ=YEARLY;UNTIL=20251231",
        "DTSTART:20250101T090000Z\r\nRDATE:20260210T090000Z",
        "DTSTART:20250101T090000Z\r\nRECURRENCE-ID:20260210T090000Z",
        "DTST\r\n ART:20260210T090000Z\r\nDTSTART:20250101T090000Z",
        "DTSTART:2026-02-10T09:00:00Z",
        "DTSTART :20260210T090000Z\r\nDTSTART:20250101T090000Z",
        "DTS\rTART:20260210T090000Z\r\nDTSTART:20250101T090000Z",
        "SUMMARY:no start",
    ] {
        assert!(!is_left_out(lines), "{lines}");
    }
}

#[test]
fn a_change_of_all_that_follow_leaves_everything_in() {
    let master = event("DTSTART:20260320T090000Z\r\nDTEND:20260320T100000Z\r\nRRULE:FREQ=WEEKLY");
    let moved = event(
        "RECURRENCE-ID;RANGE=THISANDFUTURE:20260320T090000Z\r\nDTSTART:20260220T090000Z\r\nDTEND:20260220T100000Z",
    );
    let text = calendar(&format!("{master}{moved}"));
    assert_eq!(part(&text), text);
}

#[test]
fn odd_structures_say_the_same_as_before() {
    let old = "DTSTART:20250101T090000Z\r\nDTEND:20250101T100000Z";
    let here = "DTSTART:20260210T090000Z\r\nDTEND:20260210T100000Z";
    for text in [
        // An event inside of another, one that does not end, ends that belong to nothing.
        calendar(&event(&format!("{old}\r\n{}", event(here)))),
        calendar(&format!("BEGIN:VEVENT\r\n{old}\r\n{}", event(here))),
        calendar(&event(&format!("{old}\r\nEND:VALARM\r\n{here}"))),
        calendar(&event(&format!("{old}\r\nBEGIN:VALARM\r\n{here}"))),
        calendar(&event(&format!("{old}\r\nBEGIN:VEV\rENT\r\n{here}\r\nEND:VEV\rENT"))),
        // A value that continues without a blank.
        calendar(&event(&format!(
            "{here}\r\nDESCRIPTION;ENCODING=QUOTED-PRINTABLE:a=\r\nEND:VEVENT\r\n{old}"
        ))),
        calendar(&format!(
            "X-NOTE;ENCODING=QUOTED-PRINTABLE:a=\r\nBEGIN:VEVENT\r\n{}",
            event(here)
        )),
        // Line ends of other systems, no line end at all, a mark at the begin.
        calendar(&format!("{}{}", event(old), event(here))).replace("\r\n", "\n"),
        calendar(&format!("{}{}", event(old), event(here))).replace("\r\n", "\r"),
        calendar(&format!("{}{}", event(old), event(here))).trim_end().to_owned(),
        format!("\u{feff}{}", calendar(&format!("{}{}", event(old), event(here)))),
        format!("{}{}", calendar(&event(old)), calendar(&event(here))),
        calendar(&event(old)).replace("END:VCALENDAR\r\n", ""),
        "not a calendar".to_owned(),
        String::new(),
    ] {
        part(&text);
    }
}

#[test]
fn the_days_of_a_text_are_told_where_it_is_whole_and_plain() {
    let old = event("DTSTART:20250101T090000Z\r\nDTEND:20250103T100000Z");
    let days = |text: &str| Outline::of(text).days();
    assert_eq!(days(&calendar(&old)), Days { first: 20250101, last: 20250103 });
    assert_eq!(days(&calendar("")), Days::NONE);
    for unclear in [
        calendar(&old).replace("END:VCALENDAR\r\n", ""),
        calendar(&event("RECURRENCE-ID:20250101T090000Z\r\nDTSTART:20250101T090000Z")),
        calendar("BEGIN:VFREEBUSY\r\nFREEBUSY:20260210T090000Z/PT1H\r\nEND:VFREEBUSY\r\n"),
        "rubbish".to_owned(),
    ] {
        assert_eq!(days(&unclear), Days::ALL, "{unclear}");
    }
}

/// Calendars put together at random from lines that matter, by a generator that is the same each time.
#[test]
fn any_calendar_says_the_same_in_part() {
    let lines = [
        "DTSTART:20250210T090000Z",
        "DTSTART;VALUE=DATE:20260203",
        "DTSTART;TZID=America/New_York:20260131T220000",
        "DTSTART:20260305T090000",
        "DTEND:20260130T090000Z",
        "DTEND;VALUE=DATE:20260210",
        "DURATION:P3D",
        "DURATION:PT45M",
        "RRULE:FREQ=WEEKLY",
        "RRULE:FREQ=MONTHLY;UNTIL=20260115",
        "RRULE:FREQ=DAILY;COUNT=40",
        "EXDATE:20260203T090000Z",
        "RDATE:20260214T090000Z",
        "RECURRENCE-ID:20260203T090000Z",
        "TRANSP:TRANSPARENT",
        "STATUS:CANCELLED",
        "ATTENDEE:mailto:jon@example.com",
        "DESCRIPTION:folded\r\n  text",
        "BEGIN:VALARM\r\nDURATION:P9D\r\nEND:VALARM",
    ];
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut below = |most: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        usize::try_from(state % most as u64).unwrap()
    };
    for _ in 0..2000 {
        let events: String = (0..1 + below(4))
            .map(|_| {
                let chosen: Vec<&str> =
                    (0..1 + below(5)).map(|_| lines[below(lines.len())]).collect();
                format!(
                    "BEGIN:VEVENT\r\nUID:{}\r\n{}\r\nEND:VEVENT\r\n",
                    below(3),
                    chosen.join("\r\n")
                )
            })
            .collect();
        part(&calendar(&events));
    }
}
