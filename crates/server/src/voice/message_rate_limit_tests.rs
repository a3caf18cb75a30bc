//! How much is too much.

use super::*;

#[test]
fn a_steady_client_is_never_refused() {
    let mut rate_limit = MessageRateLimit::new(100, 0);
    assert!((0..10_000).all(|n| rate_limit.takes(640, n * 10)));
}

#[test]
fn ten_thousand_messages_at_once_are_refused_after_what_was_saved() {
    let mut rate_limit = MessageRateLimit::new(100, 0);
    let taken = (0..10_000).filter(|_| rate_limit.takes(640, 5)).count();
    assert_eq!(taken, 300);
    assert!(rate_limit.takes(640, 15) && !rate_limit.takes(640, 15));
}

#[test]
fn a_recording_may_come_faster_than_it_was_spoken_but_not_without_end() {
    let mut rate_limit = MessageRateLimit::new(200, 0);
    let taken = (0..1000).filter(|_| rate_limit.takes(64 << 10, 0)).count();
    let seconds = taken * (64 << 10) / 32_000;
    assert!((50..70).contains(&seconds), "{seconds} seconds of speech at once");
}

#[test]
fn a_long_message_is_taken_where_few_are() {
    let mut rate_limit = MessageRateLimit::new(2, 0);
    assert!((0..100).all(|n| rate_limit.takes(64 << 10, n * 1000)));
}
