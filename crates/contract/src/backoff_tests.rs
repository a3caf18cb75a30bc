//! How long attempts wait for each other.

use super::*;

const BACKOFF: Backoff = Backoff { base: Duration::from_millis(100), max: Duration::from_secs(20) };

#[test]
fn waits_double_up_to_the_maximum() {
    for (failures, expected) in
        [(0, 100), (1, 100), (2, 200), (4, 800), (30, 20_000), (u32::MAX, 20_000)]
    {
        assert_eq!(BACKOFF.wait(failures), Duration::from_millis(expected), "{failures}");
    }
}

#[test]
fn jitter_takes_away_at_most_half() {
    for (jitter, expected) in [(0.0, 100), (0.5, 150), (1.0, 200)] {
        let waited = BACKOFF.jittered(2, Jitter::new(jitter));
        assert_eq!(waited, Duration::from_millis(expected), "{jitter}");
    }
    assert_eq!(BACKOFF.fully_jittered(2, Jitter::new(0.0)), Duration::ZERO);
}

#[test]
fn jitter_out_of_bounds_never_exceeds_the_wait() {
    for jitter in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -1.0, 2.0] {
        assert!(BACKOFF.jittered(u32::MAX, Jitter::new(jitter)) <= BACKOFF.max);
    }
    assert!(BACKOFF.jittered(1, Jitter::random()) <= BACKOFF.base);
}
