//! Tests of the limits in time.

use super::*;

fn time_limits(deadline: Duration, cpu: Duration) -> TimeLimits {
    TimeLimits::new(Instant::now() + deadline, cpu)
}

const LONG: Duration = Duration::from_secs(3600);

#[test]
fn within_its_limits_code_goes_on() {
    let time_limits = time_limits(LONG, LONG);
    time_limits.enter();
    assert!(!time_limits.poll());
    assert_eq!(time_limits.stopped(), None);
}

#[test]
fn a_past_deadline_stops() {
    let time_limits = time_limits(Duration::ZERO, LONG);
    time_limits.enter();
    assert!(time_limits.poll());
    assert_eq!(time_limits.stopped(), Some(StopReason::Deadline));
}

#[test]
fn used_up_processor_time_stops() {
    let time_limits = time_limits(LONG, Duration::ZERO);
    time_limits.enter();
    assert!(time_limits.poll());
    assert_eq!(time_limits.stopped(), Some(StopReason::Cpu));
}

#[test]
fn the_first_reason_stays() {
    let time_limits = time_limits(LONG, Duration::ZERO);
    time_limits.close(StopReason::Cancelled);
    assert!(time_limits.poll());
    assert_eq!(time_limits.stopped(), Some(StopReason::Cancelled));
}

#[test]
fn time_before_a_slice_does_not_count() {
    let time_limits = time_limits(LONG, LONG);
    time_limits.enter();
    time_limits.leave();
    assert!(time_limits.used.load(Ordering::Acquire) < nanos(Duration::from_secs(1)));
}
