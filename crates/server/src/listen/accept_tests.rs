//! How long accepting rests. Time is the test's.

use super::*;

fn no_handles() -> io::Error {
    io::Error::other("too many open files")
}

#[tokio::test(start_paused = true)]
async fn each_failure_is_waited_for_longer_up_to_a_second() {
    let mut accept_errors = AcceptErrors::default();
    let mut waits = Vec::new();
    for _ in 0..7 {
        let before = Instant::now();
        accept_errors.wait_after_error(&no_handles()).await;
        waits.push(before.elapsed().as_millis());
    }
    assert_eq!(waits, [50, 100, 200, 400, 800, 1000, 1000]);
    accept_errors.on_accepted();
    let before = Instant::now();
    accept_errors.wait_after_error(&no_handles()).await;
    assert_eq!(before.elapsed(), FIRST_WAIT);
}

#[tokio::test(start_paused = true)]
async fn a_client_that_left_is_not_waited_for() {
    let before = Instant::now();
    AcceptErrors::default().wait_after_error(&ErrorKind::ConnectionAborted.into()).await;
    assert!(before.elapsed().is_zero());
}
