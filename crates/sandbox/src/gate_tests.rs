//! Tests of the limits in time.

use super::*;

fn gate(deadline: Duration, cpu: Duration) -> Gate {
    Gate::new(Instant::now() + deadline, cpu)
}

const LONG: Duration = Duration::from_secs(3600);

#[test]
fn within_its_limits_code_goes_on() {
    let gate = gate(LONG, LONG);
    gate.enter();
    assert!(!gate.poll());
    assert_eq!(gate.stopped(), None);
}

#[test]
fn a_past_deadline_stops() {
    let gate = gate(Duration::ZERO, LONG);
    gate.enter();
    assert!(gate.poll());
    assert_eq!(gate.stopped(), Some(Stop::Deadline));
}

#[test]
fn used_up_processor_time_stops() {
    let gate = gate(LONG, Duration::ZERO);
    gate.enter();
    assert!(gate.poll());
    assert_eq!(gate.stopped(), Some(Stop::Cpu));
}

#[test]
fn the_first_reason_stays() {
    let gate = gate(LONG, Duration::ZERO);
    gate.close(Stop::Cancelled);
    assert!(gate.poll());
    assert_eq!(gate.stopped(), Some(Stop::Cancelled));
}

#[test]
fn time_before_a_slice_does_not_count() {
    let gate = gate(LONG, LONG);
    gate.enter();
    gate.leave();
    assert!(gate.used.load(Ordering::Acquire) < nanos(Duration::from_secs(1)));
}
