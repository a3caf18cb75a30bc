//! Valid and invalid working hours.

use super::*;

#[test]
fn hours_end_after_they_begin() {
    let error = |start, end| Hours::new(start, end).unwrap_err().to_string();
    assert_eq!(error("17:00", "09:00"), "expected working hours that end after 17:00, found 09:00");
    assert_eq!(error("09:00", "09:00"), "expected working hours that end after 09:00, found 09:00");
    for text in ["9:00", "25:00", "24:01", "09:60", "nine", "", "09:0x"] {
        assert_eq!(
            error(text, "17:00"),
            format!("expected a time of day such as 09:00, found {text:?}")
        );
    }
}

#[test]
fn starts_leave_room_for_the_event() {
    let hours = Hours::new("09:00", "10:30").unwrap();
    let starts = |duration| hours.starts(duration, 30).collect::<Vec<_>>();
    assert_eq!(starts(30), [540, 570, 600]);
    assert_eq!(starts(60), [540, 570]);
    assert_eq!(starts(91), Vec::<u16>::new());
    assert_eq!(Hours::new("23:00", "24:00").unwrap().starts(60, 30).count(), 1);
}

#[test]
fn days_are_named_and_kept_in_the_order_of_the_week() {
    let days: Weekdays = serde_json::from_str(r#"["sat", "mon"]"#).unwrap();
    assert_eq!(serde_json::to_string(&days).unwrap(), r#"["mon","sat"]"#);
    let error = serde_json::from_str::<Weekdays>(r#"["monday"]"#).unwrap_err().to_string();
    assert!(
        error
            .starts_with("expected days among mon, tue, wed, thu, fri, sat, sun, found \"monday\""),
        "{error}"
    );
    assert!(serde_json::from_str::<Weekdays>("[]").is_err());
}
