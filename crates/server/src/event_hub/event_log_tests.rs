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
