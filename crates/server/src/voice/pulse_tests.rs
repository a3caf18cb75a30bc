//! When a client is asked, and when it is given up.

use super::*;

#[test]
fn a_silent_client_is_asked_once_and_then_given_up() {
    let mut pulse = Pulse::new(20, 100);
    assert_eq!((pulse.due(), pulse.on_time(119)), (120, Beat::Nothing));
    assert_eq!((pulse.on_time(120), pulse.due()), (Beat::Ping, 140));
    assert_eq!((pulse.on_time(139), pulse.on_time(140)), (Beat::Nothing, Beat::Dead));
}

#[test]
fn a_client_that_answers_is_asked_again_later() {
    let mut pulse = Pulse::new(20, 100);
    assert_eq!(pulse.on_time(120), Beat::Ping);
    pulse.heard(125);
    assert_eq!((pulse.due(), pulse.on_time(140)), (145, Beat::Nothing));
    assert_eq!(pulse.on_time(145), Beat::Ping);
}
