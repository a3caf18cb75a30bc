//! What is waited for, and for how long.

use super::*;

#[test]
fn the_end_of_a_turn_is_waited_for_until_the_reply_was_played() {
    let mut lull = Lull::default();
    assert_eq!((lull.is_waiting(), lull.due(0)), (false, None));
    lull.acts(10);
    lull.delivered(20);
    lull.writes(30);
    assert_eq!(lull.due(5000), Some(5000 + TURN_END_MS));
    assert_eq!(lull.on_time(5000, 5000), None);
    assert_eq!(lull.on_time(7000, 5000), Some(Overdue::TurnEnd));
}

#[test]
fn a_reply_is_waited_for_long_and_given_up_once() {
    let mut lull = Lull::default();
    lull.asked(10);
    assert_eq!(lull.on_time(10 + REPLY_MS - 1, 0), None);
    assert_eq!(lull.on_time(10 + REPLY_MS, 0), Some(Overdue::Reply));
    assert_eq!((lull.is_waiting(), lull.on_time(u64::MAX, 0)), (false, None));
}

#[test]
fn where_the_end_was_there_after_all_the_next_reply_has_all_its_time() {
    let mut lull = Lull::default();
    lull.delivered(0);
    lull.asked(100);
    assert_eq!(lull.on_time(100 + TURN_END_MS, 0), Some(Overdue::TurnEnd));
    assert_eq!(lull.due(0), Some(100 + TURN_END_MS + REPLY_MS));
}

#[test]
fn nothing_is_waited_for_once_the_turn_is_over() {
    let mut lull = Lull::default();
    lull.delivered(0);
    lull.cut_short();
    assert_eq!(lull.due(0), Some(REPLY_MS));
    lull.over();
    assert!(!lull.is_waiting());
}
