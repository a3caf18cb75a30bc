//! Which requests are within the limit, and which have to wait.

use super::*;

fn ada() -> RateLimitKey {
    RateLimitKey::Person(UserId::new("ada").unwrap())
}

fn taken(rates: &Rates, rate_limit_key: &RateLimitKey, times: usize, now: u64) -> usize {
    (0..times).filter(|_| rates.take(rate_limit_key.clone(), now).is_ok()).count()
}

#[test]
fn two_seconds_worth_may_come_at_once() {
    let rates = Rates::new(Some(5), None);
    assert_eq!(taken(&rates, &ada(), 100, 1000), 10);
}

#[test]
fn a_bucket_fills_with_time_and_not_beyond_its_rim() {
    let rates = Rates::new(Some(5), None);
    assert_eq!(taken(&rates, &ada(), 10, 1000), 10);
    assert_eq!(taken(&rates, &ada(), 100, 1400), 2);
    assert_eq!(taken(&rates, &ada(), 100, 100_000), 10);
}

#[test]
fn nobody_pays_for_somebody_else() {
    let rates = Rates::new(Some(1), None);
    assert_eq!(taken(&rates, &ada(), 9, 0), 2);
    assert_eq!(taken(&rates, &RateLimitKey::Address(None), 9, 0), 2);
    assert_eq!(taken(&rates, &RateLimitKey::Failing(None), 9, 0), 2);
}

#[test]
fn the_person_at_this_machine_has_a_number_of_their_own() {
    let rates = Rates::new(Some(1), Some(4));
    assert_eq!(taken(&rates, &RateLimitKey::Local, 99, 0), 8);
    assert_eq!(taken(&rates, &RateLimitKey::Address(None), 99, 0), 2);
    assert_eq!(taken(&rates, &RateLimitKey::Local, 99, 1000), 4);
}

#[test]
fn whoever_is_too_fast_is_told_how_long_to_wait() {
    let rates = Rates::new(Some(1), None);
    taken(&rates, &ada(), 2, 0);
    let told = rates.take(ada(), 0).unwrap_err();
    assert_eq!(told.wait_seconds.get(), 1);
}

#[test]
fn without_a_number_there_is_no_limit() {
    assert_eq!(taken(&Rates::new(None, None), &ada(), 5000, 0), 5000);
}

#[test]
fn a_crowd_does_not_grow_the_memory_without_bound() {
    let rates = Rates::new(Some(1), None);
    for n in 0..3 * MAX_BUCKETS {
        let rate_limit_key = RateLimitKey::Person(UserId::new(format!("person-{n}")).unwrap());
        assert_eq!(rates.take(rate_limit_key, 0), Ok(()));
    }
    assert!(rates.buckets.lock().unwrap().len() <= MAX_BUCKETS);
}
