//! Which starts are found, and in which order.

use super::*;

fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

fn plan(zone: &str, from: &str, days: i64) -> Plan {
    let from = at(from);
    Plan {
        now: from,
        from,
        until: from + SignedDuration::from_hours(24 * days),
        zone: Zone::named(zone).unwrap(),
        hours: Hours::default(),
        days: Weekdays::default(),
        minutes: 60,
        wishes: Vec::new(),
        most: 3,
    }
}

fn starts(plan: &Plan) -> Vec<String> {
    plan.candidates().iter().map(|it| plan.zone.rfc3339(it.start)).collect()
}

fn best_starts(plan: &Plan, calendars: &[Busy]) -> Vec<(String, Vec<usize>)> {
    let slots = best(&ranked(plan.candidates(), calendars), plan.most);
    slots.into_iter().map(|slot| (plan.zone.rfc3339(slot.time.start), slot.busy)).collect()
}

#[test]
fn working_hours_keep_to_the_clock_over_a_change_of_the_clocks() {
    let plan = plan("Europe/Berlin", "2026-03-27T00:00:00Z", 4);
    let starts = starts(&plan);
    assert_eq!(starts.first().map(String::as_str), Some("2026-03-27T09:00:00+01:00"));
    assert!(starts.contains(&"2026-03-30T09:00:00+02:00".to_owned()), "{starts:?}");
    assert!(!starts.iter().any(|start| start.starts_with("2026-03-28")), "{starts:?}");
}

#[test]
fn an_hour_that_does_not_exist_is_no_start() {
    let mut plan = plan("Europe/Berlin", "2026-03-29T00:00:00Z", 1);
    plan.hours = Hours::new("01:30", "04:30").unwrap();
    plan.days = Weekdays::try_from(vec!["sun".to_owned()]).unwrap();
    assert_eq!(
        starts(&plan),
        ["2026-03-29T01:30:00+01:00", "2026-03-29T03:00:00+02:00", "2026-03-29T03:30:00+02:00"]
    );
}

#[test]
fn an_hour_that_comes_twice_is_offered_once() {
    let mut plan = plan("Europe/Berlin", "2026-10-24T22:00:00Z", 1);
    plan.hours = Hours::new("02:00", "04:00").unwrap();
    plan.days = Weekdays::try_from(vec!["sun".to_owned()]).unwrap();
    assert_eq!(
        starts(&plan),
        ["2026-10-25T02:00:00+02:00", "2026-10-25T02:30:00+02:00", "2026-10-25T03:00:00+01:00"]
    );
}

#[test]
fn an_event_ends_within_the_hours_when_the_clocks_are_put_forward() {
    let mut plan = plan("Asia/Jerusalem", "2027-03-25T23:30:00Z", 1);
    plan.hours = Hours::new("00:00", "03:00").unwrap();
    plan.days = Weekdays::try_from(vec!["fri".to_owned()]).unwrap();
    assert_eq!(starts(&plan), Vec::<String>::new(), "01:30 would end at 03:30");
    plan.minutes = 30;
    assert_eq!(starts(&plan), ["2027-03-26T01:30:00+02:00"]);
    let mut last = self::plan("UTC", "2026-02-03T00:00:00Z", 1);
    last.hours = Hours::new("23:00", "24:00").unwrap();
    assert_eq!(starts(&last), ["2026-02-03T23:00:00Z"]);
}

#[test]
fn a_far_wish_is_asked_for_apart() {
    let mut plan = plan("UTC", "2026-02-03T08:00:00Z", 7);
    plan.wishes =
        vec![at("2026-02-15T20:00:00Z"), at("2027-06-01T10:00:00Z"), at("2028-12-01T10:00:00Z")];
    assert_eq!(
        windows(&plan.candidates()),
        [
            (at("2026-02-03T09:00:00Z"), at("2026-02-15T21:00:00Z")),
            (at("2027-06-01T10:00:00Z"), at("2027-06-01T11:00:00Z")),
        ]
    );
    assert_eq!(plan.unusable(at("2028-12-01T10:00:00Z")), Some(TOO_FAR));
}

#[test]
fn a_wish_comes_first_unless_somebody_is_busy() {
    let mut plan = plan("UTC", "2026-02-03T08:00:00Z", 1);
    plan.wishes =
        vec![at("2026-02-03T15:00:00Z"), at("2026-02-01T15:00:00Z"), at("2026-02-03T20:00:00Z")];
    let busy = Busy::new(vec![(at("2026-02-03T15:30:00Z"), at("2026-02-03T15:45:00Z"))]);
    assert_eq!(
        best_starts(&plan, &[Busy::default(), busy]),
        [
            ("2026-02-03T20:00:00Z".to_owned(), vec![]),
            ("2026-02-03T09:00:00Z".to_owned(), vec![]),
            ("2026-02-03T10:00:00Z".to_owned(), vec![]),
        ]
    );
}

#[test]
fn where_nothing_suits_all_the_fewest_are_busy() {
    let mut plan = plan("UTC", "2026-02-03T08:00:00Z", 1);
    plan.hours = Hours::new("09:00", "11:00").unwrap();
    let day = Busy::new(vec![(at("2026-02-03T00:00:00Z"), at("2026-02-04T00:00:00Z"))]);
    let morning = Busy::new(vec![(at("2026-02-03T09:00:00Z"), at("2026-02-03T10:00:00Z"))]);
    assert_eq!(
        best_starts(&plan, &[day, morning]),
        [
            ("2026-02-03T10:00:00Z".to_owned(), vec![0]),
            ("2026-02-03T09:00:00Z".to_owned(), vec![0, 1]),
        ]
    );
}

#[test]
fn spans_that_touch_are_one_and_empty_ones_none() {
    let (a, b, c) =
        (at("2026-02-03T09:00:00Z"), at("2026-02-03T10:00:00Z"), at("2026-02-03T11:00:00Z"));
    assert_eq!(Busy::new(vec![(b, c), (a, b), (a, a), (c, b)]), Busy(vec![(a, c)]));
}
