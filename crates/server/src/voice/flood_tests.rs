//! How much is too much.

use super::*;

#[test]
fn a_steady_client_is_never_refused() {
    let mut flood = Flood::new(100, 0);
    assert!((0..10_000).all(|n| flood.takes(n * 10)));
}

#[test]
fn ten_thousand_messages_at_once_are_refused_after_what_was_saved() {
    let mut flood = Flood::new(100, 0);
    let taken = (0..10_000).filter(|_| flood.takes(5)).count();
    assert_eq!(taken, 300);
    assert!(flood.takes(15) && !flood.takes(15));
}
