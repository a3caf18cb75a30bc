//! The text of an event, and that it is read back unchanged.

use aileron_capability::calendar::Zone;

use super::*;
use crate::ical::{BusyOptions, busy_times};
use crate::window::TimeWindow;

fn new_event(zone: &str) -> NewEvent {
    NewEvent {
        uid: "aileron-1".to_owned(),
        title: "Kick-off; scope, dates\nand more".to_owned(),
        agenda: "Line one\nLine two".to_owned(),
        window: TimeWindow::read("2026-03-27T09:00:00Z", "2026-03-27T10:00:00Z").unwrap(),
        zone: Zone::named(zone).unwrap(),
        attendees: vec!["mira@example.com".to_owned(), "boss@example.com".to_owned()],
        wants_link: true,
        join_url: Some("https://meet.example.com/abc".to_owned()),
        stamp: "2026-03-01T00:00:00Z".parse().unwrap(),
    }
}

#[test]
fn an_event_is_written_with_its_zone_and_people() {
    let text = written(&new_event("Europe/Berlin"), Some("boss@example.com"));
    let plain = text.replace("\r\n ", "").replace("\r\n", "\n");
    for line in [
        "BEGIN:VTIMEZONE\nTZID:Europe/Berlin\n",
        "UID:aileron-1\n",
        "DTSTART;TZID=Europe/Berlin:20260327T100000\n",
        "DTEND;TZID=Europe/Berlin:20260327T110000\n",
        "SUMMARY:Kick-off\\; scope\\, dates\\nand more\n",
        "DESCRIPTION:Line one\\nLine two\\n\\nJoin: https://meet.example.com/abc\n",
        "ORGANIZER:mailto:boss@example.com\n",
        "PARTSTAT=NEEDS-ACTION",
        ":mailto:mira@example.com\n",
        "DTSTAMP:20260301T000000Z\n",
    ] {
        assert!(plain.contains(line), "{line} in\n{plain}");
    }
    assert!(text.lines().all(|line| line.len() <= 76), "{text}");
}

#[test]
fn line_ends_of_any_kind_are_one_and_control_characters_are_left_out() {
    let mut event = new_event("UTC");
    event.title = "Hi\u{0}\u{1b}[31m there\u{85}".to_owned();
    event.agenda = "Hi\r\nthere\rand\n\tmore\u{7f}".to_owned();
    let text = written(&event, None);
    let plain = text.replace("\r\n ", "").replace("\r\n", "\n");
    assert!(plain.contains("SUMMARY:Hi[31m there\n"), "{plain}");
    assert!(plain.contains("DESCRIPTION:Hi\\nthere\\nand\\n\tmore\\n"), "{plain}");
    assert!(!plain.contains(['\r', '\u{0}', '\u{1b}', '\u{7f}']), "{plain}");
}

#[test]
fn what_was_written_is_read_back() {
    for zone in ["Europe/Berlin", "UTC", "+05:30"] {
        let event = new_event(zone);
        let text = written(&event, None);
        let utc = Zone::default();
        let reading = BusyOptions { owner: None, zone: &utc, window: event.window };
        let found = busy_times(&text, &reading).times;
        let whole: Vec<_> = found.iter().map(|it| (it.who.as_str(), it.window)).collect();
        assert_eq!(whole, [("boss@example.com", event.window), ("mira@example.com", event.window)]);
        assert_eq!(join_url(&text, "aileron-1"), Some(event.join_url.clone()));
        assert_eq!(join_url(&text, "another"), None);
    }
}
