//! Failures in a row wait longer, a success forgets them.

use super::*;

#[test]
fn each_failure_waits_twice_as_long_up_to_the_longest() {
    let (mut backoff, began) = (StartBackoff::default(), Instant::now());
    let mut waits = Vec::new();
    for _ in 0..9 {
        backoff.failed("no".to_owned(), began);
        let is_over = |ms: u64| backoff.check(began + Duration::from_millis(ms)).is_ok();
        waits.push((0..=10_000).step_by(100).find(|ms| is_over(*ms)).unwrap());
    }
    assert_eq!(waits, [100, 200, 400, 800, 1600, 3200, 6400, 10_000, 10_000]);
}

#[test]
fn a_success_forgets_the_failures() {
    let (mut backoff, now) = (StartBackoff::default(), Instant::now());
    assert_eq!(backoff.check(now), Ok(()));
    backoff.failed("no".to_owned(), now);
    assert_eq!(backoff.check(now), Err("no".to_owned()));
    backoff.succeeded();
    assert_eq!(backoff.check(now), Ok(()));
}
