//! What is waited for, and for how long.

use super::*;

#[test]
fn the_end_of_a_turn_is_waited_for_until_the_reply_was_played() {
    let mut lull = Lull::default();
    assert_eq!((lull.is_waiting(), lull.due(0)), (false, None));
    lull.acts();
    assert_eq!((lull.is_waiting(), lull.due(0)), (true, None));
    lull.delivered(20);
    assert_eq!(lull.due(5000), Some(5000 + TURN_END_MS));
    assert!(!lull.is_overdue(5000, 5000) && lull.is_overdue(7000, 5000));
    assert!(!lull.is_overdue(u64::MAX, 5000) && lull.is_waiting());
}

#[test]
fn what_is_asked_meanwhile_gives_the_end_more_time() {
    let mut lull = Lull::default();
    lull.asked(10);
    assert_eq!(lull.due(0), None);
    lull.delivered(20);
    lull.asked(100);
    assert_eq!(lull.due(0), Some(100 + TURN_END_MS));
}

#[test]
fn nothing_is_waited_for_once_the_turn_is_over() {
    let mut lull = Lull::default();
    lull.delivered(0);
    lull.cut_short();
    assert_eq!((lull.is_waiting(), lull.due(0)), (true, None));
    lull.over();
    assert!(!lull.is_waiting());
}

#[test]
fn a_late_result_is_spoken_of_in_bounded_time() {
    let mut lull = Lull::default();
    lull.told_late(100);
    assert_eq!((lull.is_waiting(), lull.due(0)), (true, Some(100 + LATE_REPLY_MS)));
    // The end of another reply comes first, and leaves it.
    lull.delivered(200);
    assert!(lull.is_overdue(200 + TURN_END_MS, 0));
    assert_eq!(lull.due(0), Some(100 + LATE_REPLY_MS));
    assert!(lull.is_overdue(100 + LATE_REPLY_MS, 0) && lull.due(0).is_none());
    lull.told_late(0);
    lull.acts();
    assert_eq!(lull.due(0), None);
}
