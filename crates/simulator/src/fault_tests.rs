//! How faults are written, and when they are due.

use super::*;

fn check(text: &str, expected: InjectedFault) {
    assert_eq!(text.parse(), Ok(expected), "{text}");
    assert_eq!(expected.to_string(), text.trim());
}

#[test]
fn every_form_is_read() {
    check("drop@7", InjectedFault::Drop { at: 7 });
    check("close=1011@3", InjectedFault::Close { code: 1011, at: 3 });
    check("goaway@2", InjectedFault::GoAway { at: 2 });
    check("malformed@1", InjectedFault::Malformed { at: 1 });
    check("cancel@4", InjectedFault::Cancel { at: 4 });
    check("duplicate-call", InjectedFault::DuplicateCall);
    check("call-twice-in-server-content", InjectedFault::CallTwice);
    check("no-turn-complete", InjectedFault::NoTurnComplete);
    check("several-turns", InjectedFault::SeveralTurns);
    check("late-turn-complete=250", InjectedFault::LateTurnComplete { ms: 250 });
    check("slow=20", InjectedFault::Slow { ms: 20 });
    check(" rate-limit ", InjectedFault::RateLimit);
}

#[test]
fn an_unknown_fault_is_refused_with_the_closest_and_the_list() {
    let said = "dorp@5".parse::<InjectedFault>().unwrap_err().to_string();
    assert!(said.contains("did you mean drop@N?"), "{said}");
    assert!(TABLE.iter().all(|row| said.contains(row.form)), "{said}");
    for text in ["", "drop", "drop@0", "drop@x", "close=1005@1", "close=1011", "slow=fast"] {
        assert!(text.parse::<InjectedFault>().is_err(), "{text}");
    }
}

#[test]
fn what_happens_at_a_frame_happens_once() {
    let faults =
        Faults::new(vec![InjectedFault::Drop { at: 3 }, InjectedFault::Malformed { at: 3 }]);
    assert_eq!(faults.due(2), []);
    assert_eq!(faults.due(3), [InjectedFault::Drop { at: 3 }, InjectedFault::Malformed { at: 3 }]);
    assert_eq!(faults.due(3), []);
}

#[test]
fn calls_are_taken_back_once_from_a_frame_on() {
    let faults = Faults::new(vec![InjectedFault::Cancel { at: 3 }]);
    assert!(!faults.takes_back(2));
    assert!(faults.takes_back(5));
    assert!(!faults.takes_back(6));
}
