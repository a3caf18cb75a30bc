//! When a client is asked, and when it is given up.

use super::*;

#[test]
fn a_silent_client_is_asked_once_and_then_given_up() {
    let mut keepalive = Keepalive::new(20, 100);
    assert_eq!((keepalive.due(), keepalive.on_time(119)), (120, KeepaliveAction::Nothing));
    assert_eq!((keepalive.on_time(120), keepalive.due()), (KeepaliveAction::Ping, 140));
    assert_eq!(
        (keepalive.on_time(139), keepalive.on_time(140)),
        (KeepaliveAction::Nothing, KeepaliveAction::Dead)
    );
}

#[test]
fn a_client_that_answers_is_asked_again_later() {
    let mut keepalive = Keepalive::new(20, 100);
    assert_eq!(keepalive.on_time(120), KeepaliveAction::Ping);
    keepalive.on_frame(125);
    assert_eq!((keepalive.due(), keepalive.on_time(140)), (145, KeepaliveAction::Nothing));
    assert_eq!(keepalive.on_time(145), KeepaliveAction::Ping);
}
