//! Busy times in calendars of several programs.

use super::*;

const MIRA: &str = "mira@example.com";

fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

fn window(start: &str, end: &str) -> TimeWindow {
    TimeWindow { start: at(start), end: at(end) }
}

/// A calendar of Mira's with these lines in one event.
fn event(lines: &str) -> String {
    format!(
        "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VEVENT\r\nUID:one\r\n{}\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n",
        lines.replace('\n', "\r\n")
    )
}

fn read(text: &str, zone: &str, window: TimeWindow) -> Result<Vec<BusyTime>, ICalError> {
    let zone = Zone::named(zone).unwrap();
    let told = busy_times(text, &BusyOptions { owner: Some(MIRA), zone: &zone, window });
    told.unreadable.map_or(Ok(told.times), Err)
}

/// When Mira is busy in February and March 2026, in UTC, without the seconds.
fn busy(text: &str) -> Vec<String> {
    let spring = window("2026-02-01T00:00:00Z", "2026-04-15T00:00:00Z");
    let mut found = read(text, "Europe/Berlin", spring).unwrap();
    found.retain(|it| it.who == MIRA);
    found.sort();
    let written = |moment: Timestamp| moment.strftime("%m-%dT%H:%M").to_string();
    found
        .iter()
        .map(|it| format!("{}/{}", written(it.window.start), written(it.window.end)))
        .collect()
}

#[test]
fn times_of_zones_of_utc_and_of_none_are_told_apart() {
    let zoned = "DTSTART;TZID=America/New_York:20260205T100000\nDTEND;TZID=America/New_York:20260205T110000";
    assert_eq!(busy(&event(zoned)), ["02-05T15:00/02-05T16:00"]);
    let utc = "DTSTART:20260205T100000Z\nDURATION:PT90M";
    assert_eq!(busy(&event(utc)), ["02-05T10:00/02-05T11:30"]);
    let floating = "DTSTART:20260205T100000\nDTEND:20260205T110000";
    assert_eq!(busy(&event(floating)), ["02-05T09:00/02-05T10:00"]);
}

#[test]
fn a_zone_that_only_its_calendar_knows_is_looked_up_there() {
    let text = "BEGIN:VCALENDAR\nBEGIN:VTIMEZONE\nTZID:Eastern Standard Time\nX-MICROSOFT-CDO-TZID:10\nBEGIN:STANDARD\nDTSTART:16010101T020000\nTZOFFSETFROM:-0400\nTZOFFSETTO:-0500\nEND:STANDARD\nEND:VTIMEZONE\nBEGIN:VEVENT\nUID:x\nDTSTART;TZID=Eastern Standard Time:20260205T100000\nDTEND;TZID=Eastern Standard Time:20260205T110000\nEND:VEVENT\nEND:VCALENDAR\n";
    assert_eq!(busy(text), ["02-05T15:00/02-05T16:00"]);
    let whole = "BEGIN:VCALENDAR\nX-WR-TIMEZONE:Asia/Tokyo\nBEGIN:VEVENT\nUID:x\nDTSTART:20260205T100000\nDTEND:20260205T110000\nEND:VEVENT\nEND:VCALENDAR\n";
    assert_eq!(busy(whole), ["02-05T01:00/02-05T02:00"]);
}

/// A calendar of one event from 9 to 10 on the 5th of February and one on the 2nd of April, on the
/// clocks of this zone, which these lines explain.
fn zoned(zone: &str, explained: &str) -> String {
    let event = |uid: &str, day: &str| {
        format!(
            "BEGIN:VEVENT\nUID:{uid}\nDTSTART;TZID={zone}:{day}T090000\nDTEND;TZID={zone}:{day}T100000\nEND:VEVENT\n"
        )
    };
    let (one, two) = (event("one", "20260205"), event("two", "20260402"));
    format!("BEGIN:VCALENDAR\nVERSION:2.0\n{explained}{one}{two}END:VCALENDAR\n")
}

/// Rules as Outlook writes them: from 1601, by the weekdays of today.
fn eastern(name: &str) -> String {
    format!(
        "BEGIN:VTIMEZONE\nTZID:{name}\nBEGIN:STANDARD\nDTSTART:16010101T020000\nTZOFFSETFROM:-0400\nTZOFFSETTO:-0500\nRRULE:FREQ=YEARLY;BYDAY=1SU;BYMONTH=11\nEND:STANDARD\nBEGIN:DAYLIGHT\nDTSTART:16010101T020000\nTZOFFSETFROM:-0500\nTZOFFSETTO:-0400\nRRULE:FREQ=YEARLY;BYDAY=2SU;BYMONTH=3\nEND:DAYLIGHT\nEND:VTIMEZONE\n"
    )
}

#[test]
fn a_zone_is_known_by_its_rules_by_its_place_or_by_the_name_another_system_gives_it() {
    let eastern_times = ["02-05T14:00/02-05T15:00", "04-02T13:00/04-02T14:00"];
    let vendor = "/freeassociation.sourceforge.net/America/New_York";
    for (zone, explained) in [
        ("US-Eastern", eastern("US-Eastern")),
        (vendor, eastern(vendor)),
        (vendor, String::new()),
        ("/example.org/Olson_20011030_5/America/New_York", String::new()),
        ("Eastern Standard Time", String::new()),
        ("Eastern Standard Time", eastern("Eastern Standard Time")),
    ] {
        assert_eq!(busy(&zoned(zone, &explained)), eastern_times, "{zone}\n{explained}");
    }
    let fixed = "BEGIN:VTIMEZONE\nTZID:Customized Time Zone\nBEGIN:STANDARD\nDTSTART:16010101T000000\nTZOFFSETFROM:+0530\nTZOFFSETTO:+0530\nEND:STANDARD\nEND:VTIMEZONE\n";
    let listed = "BEGIN:VTIMEZONE\nTZID:Customized Time Zone\nBEGIN:STANDARD\nDTSTART:20200101T000000\nTZOFFSETFROM:+0430\nTZOFFSETTO:+0530\nRDATE:20260301T000000\nEND:STANDARD\nBEGIN:DAYLIGHT\nDTSTART:20260201T000000\nTZOFFSETFROM:+0530\nTZOFFSETTO:+0630\nEND:DAYLIGHT\nEND:VTIMEZONE\n";
    let half = ["02-05T03:30/02-05T04:30", "04-02T03:30/04-02T04:30"];
    assert_eq!(busy(&zoned("Customized Time Zone", fixed)), half);
    let changed = ["02-05T02:30/02-05T03:30", "04-02T03:30/04-02T04:30"];
    assert_eq!(busy(&zoned("Customized Time Zone", listed)), changed);
}

#[test]
fn a_zone_that_stays_unknown_is_named_and_the_rest_still_counts() {
    let spring = window("2026-02-01T00:00:00Z", "2026-04-15T00:00:00Z");
    let zone = Zone::default();
    let told = |text: &str| {
        busy_times(text, &BusyOptions { owner: Some(MIRA), zone: &zone, window: spring })
    };
    let broken = "BEGIN:VTIMEZONE\nTZID:Ours\nBEGIN:STANDARD\nDTSTART:20200101T000000\nEND:STANDARD\nEND:VTIMEZONE\n";
    for explained in ["", broken] {
        let known =
            "BEGIN:VEVENT\nUID:known\nDTSTART:20260210T090000Z\nDURATION:PT1H\nEND:VEVENT\n";
        let told = told(&zoned("Ours", &format!("{explained}{known}")));
        assert_eq!(told.times.len(), 1);
        let why = told.unreadable.unwrap().to_string();
        assert_eq!(why, "event \"one\": unknown time zone \"Ours\"");
    }
    let whole = "BEGIN:VCALENDAR\nX-WR-TIMEZONE:Ours\nBEGIN:VEVENT\nUID:x\nDTSTART:20260205T100000\nDURATION:PT1H\nEND:VEVENT\nEND:VCALENDAR\n";
    assert!(told(whole).unreadable.is_some());
    assert_eq!(told(&whole.replace("T100000", "T100000Z")).unreadable, None);
}

#[test]
fn an_event_that_cannot_be_understood_is_named_and_not_taken_for_free_time() {
    let spring = window("2026-02-01T00:00:00Z", "2026-04-15T00:00:00Z");
    let time = "DTSTART:20260205T100000Z";
    for (lines, why) in [
        (
            "DTSTART:2026-02-05T09:00:00Z".to_owned(),
            "event \"one\": expected a date or a time in DTSTART, found \"2026-02-05T09:00:00Z\"",
        ),
        ("DTSTART:20260230T090000Z".to_owned(), "event \"one\": a date that does not exist"),
        (
            format!("{time}\nDURATION:PT1H\nRRULE:FREQ=SOMETIMES"),
            "event \"one\": expected a recurrence rule in RRULE, found \"FREQ=SOMETIMES\"",
        ),
        (
            format!("{time}\nDURATION:an hour"),
            "event \"one\": expected a duration in DURATION, found \"an hour\"",
        ),
        (
            format!("{time}\nDTEND:later"),
            "event \"one\": expected a date or a time in DTEND, found \"later\"",
        ),
    ] {
        assert_eq!(read(&event(&lines), "UTC", spring).unwrap_err().to_string(), why);
        let free = format!("{lines}\nTRANSP:TRANSPARENT");
        assert_eq!(read(&event(&free), "UTC", spring), Ok(Vec::new()), "{free}");
    }
}

#[test]
fn further_occurrences_may_have_an_end_of_their_own() {
    let text = event(
        "DTSTART:20260205T100000Z\nDURATION:PT1H\nRDATE;VALUE=PERIOD:20260206T100000Z/PT2H,20260207T100000Z/20260207T103000Z",
    );
    assert_eq!(
        busy(&text),
        ["02-05T10:00/02-05T11:00", "02-06T10:00/02-06T12:00", "02-07T10:00/02-07T10:30"]
    );
}

#[test]
fn a_whole_day_is_one_of_the_calendars_zone_also_when_it_has_23_hours() {
    let day = "DTSTART;VALUE=DATE:20260329\nDTEND;VALUE=DATE:20260330";
    assert_eq!(busy(&event(day)), ["03-28T23:00/03-29T22:00"]);
    assert_eq!(busy(&event("DTSTART;VALUE=DATE:20260205")), ["02-04T23:00/02-05T23:00"]);
    assert_eq!(
        busy(&event("DTSTART;VALUE=DATE:20260205\nDURATION:P2D")),
        ["02-04T23:00/02-06T23:00"]
    );
}

#[test]
fn what_takes_no_time_is_not_busy() {
    let time = "DTSTART:20260205T100000Z\nDTEND:20260205T110000Z";
    for more in [
        "TRANSP:TRANSPARENT",
        "STATUS:CANCELLED",
        "ATTENDEE;PARTSTAT=DECLINED:mailto:Mira@example.com",
    ] {
        assert_eq!(busy(&event(&format!("{time}\n{more}"))), Vec::<String>::new(), "{more}");
    }
    assert_eq!(busy(&event("DTSTART:20260205T100000Z")), Vec::<String>::new());
    assert_eq!(
        busy(&event("DTSTART:20260205T110000Z\nDTEND:20260205T100000Z")),
        Vec::<String>::new()
    );
    assert_eq!(busy(&event("SUMMARY:no start")), Vec::<String>::new());
}

#[test]
fn everybody_who_attends_is_busy() {
    let text = event(
        "DTSTART:20260205T100000Z\nDTEND:20260205T110000Z\nORGANIZER:mailto:boss@example.com\nATTENDEE:MAILTO:Jon@Example.com\nATTENDEE;PARTSTAT=DECLINED:mailto:kim@example.com",
    );
    let zone = Zone::default();
    let reading = BusyOptions {
        owner: None,
        zone: &zone,
        window: window("2026-02-01T00:00:00Z", "2026-03-01T00:00:00Z"),
    };
    let people: Vec<String> =
        busy_times(&text, &reading).times.into_iter().map(|it| it.who).collect();
    assert_eq!(people, ["boss@example.com", "jon@example.com"]);
}

#[test]
fn a_weekly_event_keeps_its_hour_when_the_clocks_change() {
    let text = event(
        "DTSTART;TZID=Europe/Berlin:20260318T090000\nDTEND;TZID=Europe/Berlin:20260318T100000\nRRULE:FREQ=WEEKLY;COUNT=3",
    );
    assert_eq!(
        busy(&text),
        ["03-18T08:00/03-18T09:00", "03-25T08:00/03-25T09:00", "04-01T07:00/04-01T08:00"]
    );
}

#[test]
fn a_daily_event_in_the_hour_that_does_not_exist_is_an_hour_later_that_day() {
    let text = event(
        "DTSTART;TZID=Europe/Berlin:20260328T023000\nDURATION:PT30M\nRRULE:FREQ=DAILY;COUNT=3",
    );
    assert_eq!(
        busy(&text),
        ["03-28T01:30/03-28T02:00", "03-29T01:30/03-29T02:00", "03-30T00:30/03-30T01:00"]
    );
}

#[test]
fn a_rule_without_an_end_is_followed_in_the_window_alone() {
    let text = event("DTSTART:19990101T120000Z\nDTEND:19990101T123000Z\nRRULE:FREQ=DAILY;BYDAY=MO");
    let found = busy(&text);
    assert_eq!((found.len(), found[0].as_str()), (11, "02-02T12:00/02-02T12:30"));
    let fortnight = event(
        "DTSTART:20200106T120000Z\nDTEND:20200106T123000Z\nRRULE:FREQ=WEEKLY;INTERVAL=2;UNTIL=20260301T000000Z",
    );
    assert_eq!(busy(&fortnight), ["02-09T12:00/02-09T12:30", "02-23T12:00/02-23T12:30"]);
    let monthly = event("DTSTART:20240131T120000Z\nDURATION:PT1H\nRRULE:FREQ=MONTHLY;BYDAY=-1FR");
    assert_eq!(busy(&monthly), ["02-27T12:00/02-27T13:00", "03-27T12:00/03-27T13:00"]);
}

#[test]
fn until_is_heard_in_the_zone_of_the_series() {
    let text = event(
        "DTSTART;TZID=America/New_York:20260202T200000\nDURATION:PT1H\nRRULE:FREQ=DAILY;UNTIL=20260204T010000Z",
    );
    assert_eq!(busy(&text), ["02-03T01:00/02-03T02:00", "02-04T01:00/02-04T02:00"]);
    let day = event("DTSTART;VALUE=DATE:20260202\nRRULE:FREQ=DAILY;UNTIL=20260203");
    assert_eq!(busy(&day).len(), 2);
}

#[test]
fn occurrences_are_left_out_added_and_moved() {
    let series = "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:s\nDTSTART:20260202T100000Z\nDTEND:20260202T110000Z\nRRULE:FREQ=DAILY;COUNT=4\nEXDATE:20260203T100000Z\nRDATE:20260210T100000Z\nEND:VEVENT\nBEGIN:VEVENT\nUID:s\nRECURRENCE-ID:20260204T100000Z\nDTSTART:20260204T150000Z\nDTEND:20260204T151500Z\nEND:VEVENT\nBEGIN:VEVENT\nUID:other\nRECURRENCE-ID:20260205T100000Z\nDTSTART:20260205T200000Z\nDTEND:20260205T210000Z\nEND:VEVENT\nEND:VCALENDAR\n";
    assert_eq!(
        busy(series),
        [
            "02-02T10:00/02-02T11:00",
            "02-04T15:00/02-04T15:15",
            "02-05T10:00/02-05T11:00",
            "02-05T20:00/02-05T21:00",
            "02-10T10:00/02-10T11:00",
        ]
    );
    let by_day = event(
        "DTSTART:20260202T100000Z\nDURATION:PT1H\nRRULE:FREQ=DAILY;COUNT=2\nEXDATE;VALUE=DATE:20260203",
    );
    assert_eq!(busy(&by_day), ["02-02T10:00/02-02T11:00"]);
}

#[test]
fn a_change_of_this_and_all_later_ones_moves_them() {
    let series = "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:s\nDTSTART:20260202T100000Z\nDTEND:20260202T110000Z\nRRULE:FREQ=DAILY;COUNT=3\nEND:VEVENT\nBEGIN:VEVENT\nUID:s\nRECURRENCE-ID;RANGE=THISANDFUTURE:20260203T100000Z\nDTSTART:20260203T120000Z\nDTEND:20260203T123000Z\nEND:VEVENT\nEND:VCALENDAR\n";
    assert_eq!(
        busy(series),
        ["02-02T10:00/02-02T11:00", "02-03T12:00/02-03T12:30", "02-04T12:00/02-04T12:30"]
    );
}

#[test]
fn free_busy_answers_are_understood() {
    let text = "BEGIN:VCALENDAR\nBEGIN:VFREEBUSY\nFREEBUSY;FBTYPE=BUSY:20260205T100000Z/20260205T110000Z,20260206T100000Z/PT30M\nFREEBUSY;FBTYPE=FREE:20260207T100000Z/PT30M\nEND:VFREEBUSY\nEND:VCALENDAR\n";
    assert_eq!(busy(text), ["02-05T10:00/02-05T11:00", "02-06T10:00/02-06T10:30"]);
}

#[test]
fn rubbish_is_named_and_never_taken_for_free_time() {
    let year = window("2026-01-01T00:00:00Z", "2027-01-01T00:00:00Z");
    let fault = |text: &str| read(text, "UTC", year).unwrap_err().to_string();
    assert_eq!(fault(""), "expected BEGIN:VCALENDAR, found no calendar");
    assert_eq!(fault("<html>"), "expected BEGIN:VCALENDAR, found no calendar");
    assert!(
        fault("BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART:20260101")
            .contains("found the end of the text")
    );
    let dense = event("DTSTART:20200101T000000Z\nDURATION:PT1S\nRRULE:FREQ=SECONDLY");
    assert_eq!(
        fault(&dense),
        "event \"one\": expected a recurring event of at most 20000 occurrences in the time asked for"
    );
}

#[test]
fn of_a_series_that_is_too_long_the_first_occurrences_count() {
    let years = window("2026-01-01T00:00:00Z", "2029-01-01T00:00:00Z");
    let hourly = event("DTSTART:20200101T000000Z\nDURATION:PT30M\nRRULE:FREQ=HOURLY");
    let zone = Zone::default();
    let told = busy_times(&hourly, &BusyOptions { owner: Some(MIRA), zone: &zone, window: years });
    assert!(told.unreadable.is_some());
    assert_eq!(told.times[0].window.start, at("2026-01-01T00:00:00Z"));
    assert!(told.times.len() > 15_000, "{}", told.times.len());
}

#[test]
fn odd_values_do_no_harm() {
    let year = window("2026-01-01T00:00:00Z", "2027-01-01T00:00:00Z");
    for lines in [
        "DTSTART:99991231T235959Z\nDURATION:P9999999W",
        "DTSTART:00000000T000000Z",
        "DTSTART:20260230T250000Z\nDTEND:x",
        "DTSTART;TZID=Nowhere/Land:20260205T100000\nDURATION:PT1H",
        "DTSTART:20260205T100000Z\nDURATION:-PT1H",
        "DTSTART:20260205T100000Z\nDURATION:PT1H\nRRULE:FREQ=DAILY;INTERVAL=0;COUNT=2",
        "DTSTART:20260205T100000Z\nDURATION:PT1H\nRRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30",
        "DTSTART:20260205T100000Z\nDURATION:PT1H\nRRULE:nonsense",
    ] {
        let _ = read(&event(lines), "UTC", year);
    }
}
