//! Limits the requests of each person with a token bucket.

use std::collections::HashMap;
use std::net::IpAddr;
use std::num::NonZeroU32;
use std::sync::{Mutex, PoisonError};

use aileron_contract::UserId;

/// Maximum number of buckets. Full buckets are removed first, because they hold no information.
const MAX_BUCKETS: usize = 10_000;

/// How many seconds' worth of requests may come at once.
const BURST_SECONDS: f64 = 2.0;

/// The key that a request is counted for: the person, or the address of an unauthenticated client.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum RateLimitKey {
    Person(UserId),
    /// The person at this machine, where people do not sign in.
    Local,
    Address(Option<IpAddr>),
    /// A client with invalid credentials.
    Failing(Option<IpAddr>),
}

/// The buckets of all recent clients.
#[derive(Debug)]
pub(crate) struct Rates {
    per_second: Option<f64>,
    local_per_second: Option<f64>,
    buckets: Mutex<HashMap<RateLimitKey, Bucket>>,
}

#[derive(Debug, Clone, Copy)]
struct Bucket {
    per_second: f64,
    left: f64,
    /// Milliseconds since the Unix epoch.
    at: u64,
}

/// How long to wait until a request is accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct RateLimited {
    pub(crate) wait_seconds: NonZeroU32,
}

impl Rates {
    /// The rate of each person, and of the person at this machine.
    pub(crate) fn new(per_second: Option<u32>, local_per_second: Option<u32>) -> Self {
        Self {
            per_second: per_second.map(f64::from),
            local_per_second: local_per_second.map(f64::from),
            buckets: Mutex::default(),
        }
    }

    /// Counts a request.
    pub(crate) fn take(&self, rate_limit_key: RateLimitKey, now: u64) -> Result<(), RateLimited> {
        let Some(per_second) = self.rate(&rate_limit_key) else { return Ok(()) };
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        make_room(&mut buckets, now);
        let bucket = buckets.entry(rate_limit_key).or_insert_with(|| Bucket::full(per_second, now));
        *bucket = bucket.filled(now);
        if bucket.left >= 1.0 {
            bucket.left -= 1.0;
            return Ok(());
        }
        Err(RateLimited { wait_seconds: seconds((1.0 - bucket.left) / per_second) })
    }

    fn rate(&self, rate_limit_key: &RateLimitKey) -> Option<f64> {
        match rate_limit_key {
            RateLimitKey::Local => self.local_per_second,
            RateLimitKey::Person(_) | RateLimitKey::Address(_) | RateLimitKey::Failing(_) => {
                self.per_second
            }
        }
    }
}

impl Bucket {
    fn full(per_second: f64, now: u64) -> Self {
        Self { per_second, left: most(per_second), at: now }
    }

    fn filled(self, now: u64) -> Self {
        let millis = u32::try_from(now.saturating_sub(self.at)).unwrap_or(u32::MAX);
        let gained = f64::from(millis) / 1000.0 * self.per_second;
        let left = (self.left + gained).min(most(self.per_second));
        Self { left, at: now.max(self.at), ..self }
    }
}

/// The capacity of a bucket.
fn most(per_second: f64) -> f64 {
    (per_second * BURST_SECONDS).max(1.0)
}

/// Removes full buckets. If that leaves too many, removes all of them: with so many clients, the limit of each
/// has little effect.
fn make_room(buckets: &mut HashMap<RateLimitKey, Bucket>, now: u64) {
    if buckets.len() < MAX_BUCKETS {
        return;
    }
    buckets.retain(|_, bucket| bucket.filled(now).left < most(bucket.per_second));
    if buckets.len() >= MAX_BUCKETS {
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
