//! A bounded log from which readers resume.

use super::*;

fn push(log: &EventLog, count: usize) {
    for n in 0..count {
        let version = n.to_string();
        log.push(n as u64, None, EventContent::RegistryLoaded { version });
    }
}

fn numbers(log: &EventLog, after: u64) -> Option<Vec<u64>> {
    match log.after(after) {
        EventsAfter::Found(events) => Some(events.iter().map(|event| event.seq).collect()),
        EventsAfter::Missed { .. } => None,
    }
}

#[test]
fn a_reader_gets_the_events_after_its_position() {
    let log = EventLog::default();
    assert_eq!(numbers(&log, 0), Some(vec![]));
    push(&log, 3);
    assert_eq!(numbers(&log, 0), Some(vec![1, 2, 3]));
    assert_eq!(numbers(&log, 2), Some(vec![3]));
    assert_eq!(numbers(&log, 3), Some(vec![]));
}

#[test]
fn a_reader_learns_that_it_missed_events() {
    let log = EventLog::default();
    push(&log, MAX_EVENTS + 2);
    assert_eq!(numbers(&log, 1), None);
    assert_eq!(numbers(&log, 2).map(|found| found.len()), Some(MAX_EVENTS));
    // A position of another process.
    assert_eq!(log.after(1 << 40), EventsAfter::Missed { newest: MAX_EVENTS as u64 + 2 });
}

#[test]
fn a_log_that_nobody_reads_keeps_nothing() {
    let log = EventLog::default();
    assert!(!log.keeps(0));
    log.enter();
    let start = log.newest();
    assert!(log.keeps(1));
    push(&log, 1);
    assert_eq!(numbers(&log, start), Some(vec![start + 1]));
}

#[test]
fn a_reader_that_returns_in_time_gets_every_event_and_a_later_one_learns_that_it_missed_some() {
    let log = EventLog::default();
    log.enter();
    log.enter();
    log.leave(1000);
    assert!(log.keeps(u64::MAX - 1), "another reader is left");
    log.leave(1000);
    let last = log.newest();
    assert!(log.keeps(1000 + RESUME_WINDOW_MS - 1));
    push(&log, 2);
    log.enter();
    assert_eq!(numbers(&log, last), Some(vec![last + 1, last + 2]));
    log.leave(2000);
    let last = log.newest();
    assert!(!log.keeps(2000 + RESUME_WINDOW_MS));
    assert!(!log.keeps(2001 + RESUME_WINDOW_MS));
    log.enter();
    assert_eq!(numbers(&log, last), None);
    assert_eq!(numbers(&log, log.newest()), Some(vec![]));
}
