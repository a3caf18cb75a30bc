//! Which callers are refused, for how long, and how it ends. Tests choose the time.

use super::*;

fn caller(name: &str) -> Arc<str> {
    name.into()
}

fn seconds(quarantine: Option<Quarantine>) -> Option<u64> {
    quarantine.map(|quarantine| quarantine.left.as_secs())
}

#[test]
fn only_the_caller_whose_call_holds_a_thread_is_refused() {
    let (quarantines, now) = (Quarantines::default(), Instant::now());
    quarantines.hold(Some(&caller("mallory")), now);
    assert_eq!(seconds(quarantines.refusal("mallory", now)), Some(10));
    assert_eq!(quarantines.refusal("ada", now), None);
    let standing = quarantines.standing(now).unwrap();
    assert_eq!((standing.scope, standing.threads_held), (QuarantineScope::Callers, 1));
}

#[test]
fn a_quarantine_ends_by_itself_and_the_next_one_lasts_longer() {
    let (quarantines, mut now) = (Quarantines::default(), Instant::now());
    for expected in [10, 20, 40, 80] {
        quarantines.hold(Some(&caller("mallory")), now);
        assert_eq!(seconds(quarantines.refusal("mallory", now)), Some(expected));
        now += Duration::from_secs(expected);
        assert_eq!(
            quarantines.standing(now).filter(|it| it.scope == QuarantineScope::Callers),
            None
        );
        quarantines.release(Some(&caller("mallory")), now);
    }
    now += REMEMBERED + Duration::from_secs(1);
    quarantines.hold(Some(&caller("mallory")), now);
    assert_eq!(seconds(quarantines.refusal("mallory", now)), Some(10));
}

#[test]
fn a_quarantine_never_lasts_longer_than_an_hour() {
    let (quarantines, now) = (Quarantines::default(), Instant::now());
    (0..40).for_each(|_| quarantines.hold(Some(&caller("mallory")), now));
    assert_eq!(seconds(quarantines.refusal("mallory", now)), Some(3600));
}

#[test]
fn a_thread_that_comes_back_ends_the_quarantine_at_once() {
    let (quarantines, now) = (Quarantines::default(), Instant::now());
    quarantines.hold(Some(&caller("mallory")), now);
    quarantines.release(Some(&caller("mallory")), now + Duration::from_secs(2));
    assert_eq!(quarantines.refusal("mallory", now + Duration::from_secs(2)), None);
    assert!(!quarantines.holds_threads());
}

#[test]
fn several_threads_at_once_refuse_the_tool_to_everybody_until_one_comes_back() {
    let (quarantines, now) = (Quarantines::default(), Instant::now());
    for name in ["a", "b"] {
        quarantines.hold(Some(&caller(name)), now);
        assert_eq!(quarantines.refusal("ada", now), None);
    }
    quarantines.hold(Some(&caller("c")), now);
    let refusal = quarantines.refusal("ada", now).unwrap();
    assert_eq!((refusal.scope, refusal.threads_held), (QuarantineScope::Everybody, 3));
    quarantines.release(Some(&caller("c")), now);
    assert_eq!(quarantines.refusal("ada", now), None);
    assert_eq!(seconds(quarantines.refusal("a", now)), Some(10));
}

#[test]
fn a_thread_that_is_held_for_nobody_refuses_the_tool_to_everybody() {
    let (quarantines, now) = (Quarantines::default(), Instant::now());
    quarantines.hold(None, now);
    assert_eq!(
        quarantines.refusal("ada", now).map(|it| it.scope),
        Some(QuarantineScope::Everybody)
    );
    assert_eq!(quarantines.refusal("ada", now + LENGTH.base), None);
}
