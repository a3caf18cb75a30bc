//! Requests per second of each person: a bucket that fills with time.

use std::collections::HashMap;
use std::net::IpAddr;
use std::num::NonZeroU32;
use std::sync::{Mutex, PoisonError};

use aileron_contract::UserId;

/// How many buckets are kept. One that is full says nothing, so those go first.
const MOST: usize = 10_000;

/// How many seconds' worth of requests may come at once.
const BURST_SECONDS: f64 = 2.0;

/// Who a request is counted for: the person, or where it is from if nobody said who they are.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Payer {
    Person(UserId),
    Address(Option<IpAddr>),
    /// Someone whose credentials are not known.
    Failing(Option<IpAddr>),
}

/// The buckets of all who asked of late.
#[derive(Debug)]
pub(crate) struct Rates {
    per_second: Option<f64>,
    buckets: Mutex<HashMap<Payer, Bucket>>,
}

#[derive(Debug, Clone, Copy)]
struct Bucket {
    left: f64,
    /// Milliseconds since the Unix epoch.
    at: u64,
}

/// How long to wait until there is room again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TooFast {
    pub(crate) wait_seconds: NonZeroU32,
}

impl Rates {
    pub(crate) fn new(per_second: Option<u32>) -> Self {
        Self { per_second: per_second.map(f64::from), buckets: Mutex::default() }
    }

    /// Counts a request.
    pub(crate) fn take(&self, payer: Payer, now: u64) -> Result<(), TooFast> {
        let Some(per_second) = self.per_second else { return Ok(()) };
        let most = (per_second * BURST_SECONDS).max(1.0);
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        make_room(&mut buckets, per_second, most, now);
        let bucket = buckets.entry(payer).or_insert(Bucket { left: most, at: now });
        *bucket = bucket.filled(per_second, most, now);
        if bucket.left >= 1.0 {
            bucket.left -= 1.0;
            return Ok(());
        }
        Err(TooFast { wait_seconds: seconds((1.0 - bucket.left) / per_second) })
    }
}

impl Bucket {
    fn filled(self, per_second: f64, most: f64, now: u64) -> Self {
        let millis = u32::try_from(now.saturating_sub(self.at)).unwrap_or(u32::MAX);
        let gained = f64::from(millis) / 1000.0 * per_second;
        Self { left: (self.left + gained).min(most), at: now.max(self.at) }
    }
}

/// If even this leaves too many, everybody begins anew: a crowd of that size is not held up by
/// forgetting it.
fn make_room(buckets: &mut HashMap<Payer, Bucket>, per_second: f64, most: f64, now: u64) {
    if buckets.len() < MOST {
        return;
    }
    buckets.retain(|_, bucket| bucket.filled(per_second, most, now).left < most);
    if buckets.len() >= MOST {
        buckets.clear();
    }
}

/// Whole seconds, at least one.
fn seconds(wait: f64) -> NonZeroU32 {
    let whole = (1..=60).find(|second| f64::from(*second) >= wait).unwrap_or(60);
    NonZeroU32::new(whole).unwrap_or(NonZeroU32::MIN)
}

#[cfg(test)]
#[path = "rates_tests.rs"]
mod tests;
