//! Jumps, restarts, and machines that are off most of the day.

use super::*;

const HOUR: u64 = 3_600_000;
const DAY: u64 = 24 * HOUR;
const START: u64 = 1_000 * DAY;

fn look(now: u64, lived_ms: u64) -> RetentionCheck {
    RetentionCheck { now, lived_ms, confirm_ms: DAY }
}

/// A process that runs for a while and checks every minute, starting at a time of the wall clock.
fn live(retention: &mut Retention, begins: u64, ms: u64) -> u64 {
    retention.advance(look(begins, 0));
    for minute in 1..=ms / 60_000 {
        retention.advance(look(begins + minute * 60_000, 60_000));
    }
    retention.reached
}

#[test]
fn time_that_was_lived_through_counts() {
    let mut retention = Retention::begin(None, START);
    assert_eq!(live(&mut retention, START, 3 * DAY), START + 3 * DAY);
}

#[test]
fn a_jump_does_not_count_until_as_much_was_lived_as_entries_are_kept() {
    let mut retention = Retention::begin(None, START);
    live(&mut retention, START, HOUR);
    let jumped = START + HOUR + 3 * DAY;
    assert_eq!(live(&mut retention, jumped, 23 * HOUR), START + 24 * HOUR);
    assert_eq!(live(&mut retention, jumped + 23 * HOUR, HOUR), jumped + DAY);
}

#[test]
fn a_jump_over_a_restart_does_not_count_either() {
    let mut retention = Retention::begin(None, START);
    live(&mut retention, START, HOUR);
    assert_eq!(retention.advance(look(START + 30 * DAY, 0)), START + HOUR);
    assert_eq!(retention.advance(look(START + 30 * DAY + 1, 1)), START + HOUR + 1);
}

#[test]
fn a_jump_that_is_taken_back_leaves_nothing() {
    let mut retention = Retention::begin(None, START);
    live(&mut retention, START, HOUR);
    live(&mut retention, START + 9 * DAY, HOUR);
    assert_eq!(live(&mut retention, START + 2 * HOUR, 2 * DAY), START + 2 * HOUR + 2 * DAY);
}

#[test]
fn a_clock_that_goes_back_takes_retention_back() {
    let mut retention = Retention::begin(None, START);
    assert_eq!(retention.advance(look(START - DAY, 5)), START - DAY);
}

#[test]
fn a_machine_that_is_off_most_of_the_day_forgets_late_and_not_never() {
    let mut retention = Retention::begin(None, START);
    for day in 0..30 {
        live(&mut retention, START + day * DAY, 8 * HOUR);
    }
    let now = START + 29 * DAY + 8 * HOUR;
    assert!(now - retention.reached <= 6 * DAY, "{} days behind", (now - retention.reached) / DAY);
}

#[test]
fn a_store_of_before_begins_with_its_newest_entry() {
    let mut retention = Retention::begin(Some(START - 9 * DAY), START);
    assert_eq!(retention.advance(look(START, 0)), START - 9 * DAY);
    assert_eq!(Retention::begin(Some(START + DAY), START).reached, START);
}
