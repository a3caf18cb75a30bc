//! Which replies are awaited, and for how long.

use super::*;

#[test]
fn the_end_of_a_turn_is_waited_for_until_the_reply_was_played() {
    let mut reply_timeout = ReplyTimeout::default();
    assert_eq!((reply_timeout.is_waiting(), reply_timeout.due(0)), (false, None));
    reply_timeout.on_model_acts();
    assert_eq!((reply_timeout.is_waiting(), reply_timeout.due(0)), (true, None));
    reply_timeout.on_delivered(20);
    assert_eq!(reply_timeout.due(5000), Some(5000 + TURN_END_MS));
    assert!(!reply_timeout.is_overdue(5000, 5000) && reply_timeout.is_overdue(7000, 5000));
    assert!(!reply_timeout.is_overdue(u64::MAX, 5000) && reply_timeout.is_waiting());
}

#[test]
fn what_is_asked_meanwhile_gives_the_end_more_time() {
    let mut reply_timeout = ReplyTimeout::default();
    reply_timeout.on_input(10);
    assert_eq!(reply_timeout.due(0), None);
    reply_timeout.on_delivered(20);
    reply_timeout.on_input(100);
    assert_eq!(reply_timeout.due(0), Some(100 + TURN_END_MS));
}

#[test]
fn nothing_is_waited_for_once_the_turn_is_over() {
    let mut reply_timeout = ReplyTimeout::default();
    reply_timeout.on_delivered(0);
    reply_timeout.on_interrupted();
    assert_eq!((reply_timeout.is_waiting(), reply_timeout.due(0)), (true, None));
    reply_timeout.on_turn_ended();
    assert!(!reply_timeout.is_waiting());
}

#[test]
fn a_late_result_is_spoken_of_in_bounded_time() {
    let mut reply_timeout = ReplyTimeout::default();
    reply_timeout.on_late_result(100);
    assert_eq!(
        (reply_timeout.is_waiting(), reply_timeout.due(0)),
        (true, Some(100 + LATE_REPLY_MS))
    );
    // The end of another reply comes first, and leaves it.
    reply_timeout.on_delivered(200);
    assert!(reply_timeout.is_overdue(200 + TURN_END_MS, 0));
    assert_eq!(reply_timeout.due(0), Some(100 + LATE_REPLY_MS));
    assert!(reply_timeout.is_overdue(100 + LATE_REPLY_MS, 0) && reply_timeout.due(0).is_none());
    reply_timeout.on_late_result(0);
    reply_timeout.on_model_acts();
    assert_eq!(reply_timeout.due(0), None);
}
