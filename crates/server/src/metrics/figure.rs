//! Counters and histograms that threads update concurrently.

use std::sync::atomic::{AtomicU64, Ordering};

/// A counter.
#[derive(Debug, Default)]
pub struct Counter(AtomicU64);

impl Counter {
    pub fn add(&self, more: u64) {
        self.0.fetch_add(more, Ordering::Relaxed);
    }

    pub fn count(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// The upper bounds of the exported buckets: a 1-2-5 series, which serves milliseconds and tokens alike.
const BOUNDS: [u64; 18] = [
    1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000, 200_000,
    500_000,
];

/// How many leading bits of a value are kept for percentiles. With 8, values below 256 are exact and
/// the middle of a bucket is within 0.4 % of every value in it.
const KEPT_BITS: u32 = 8;

/// Values with more bits than this fall into the last bucket: 35 years in milliseconds.
const MAX_BITS: u32 = 40;

/// All values below 2^8, and 2^7 buckets for each further bit.
const FINE: usize = (1 << KEPT_BITS) + (((MAX_BITS - KEPT_BITS) as usize) << (KEPT_BITS - 1));

/// A distribution of values in bounded memory (35 KB). Recording takes no lock.
#[derive(Debug)]
pub struct Histogram {
    coarse: [AtomicU64; BOUNDS.len() + 1],
    fine: Box<[AtomicU64]>,
    sum: AtomicU64,
    least: AtomicU64,
    most: AtomicU64,
}

impl Default for Histogram {
    fn default() -> Self {
        Self {
            coarse: Default::default(),
            fine: (0..FINE).map(|_| AtomicU64::new(0)).collect(),
            sum: AtomicU64::new(0),
            least: AtomicU64::new(u64::MAX),
            most: AtomicU64::new(0),
        }
    }
}

impl Histogram {
    pub fn record(&self, value: u64) {
        let at = BOUNDS.partition_point(|bound| *bound < value);
        self.coarse[at].fetch_add(1, Ordering::Relaxed);
        self.sum.fetch_add(value, Ordering::Relaxed);
        self.least.fetch_min(value, Ordering::Relaxed);
        self.most.fetch_max(value, Ordering::Relaxed);
        self.fine[fine_bucket(value)].fetch_add(1, Ordering::Relaxed);
    }

    pub fn count(&self) -> u64 {
        self.coarse.iter().map(|bucket| bucket.load(Ordering::Relaxed)).sum()
    }

    pub fn sum(&self) -> u64 {
        self.sum.load(Ordering::Relaxed)
    }

    /// The number of values up to each bound, and of all values.
    pub(super) fn cumulative(&self) -> ([(u64, u64); BOUNDS.len()], u64) {
        let mut so_far = 0;
        let mut next = |bucket: &AtomicU64| {
            so_far += bucket.load(Ordering::Relaxed);
            so_far
        };
        let mut bounds = BOUNDS.map(|bound| (bound, 0));
        let pairs = bounds.iter_mut().zip(&self.coarse);
        pairs.for_each(|((_, count), bucket)| *count = next(bucket));
        let all = next(&self.coarse[BOUNDS.len()]);
        (bounds, all)
    }

    /// For each percentage, the value that so many percent of the values do not exceed, within 0.4 %; 0 if
    /// there are no values. The percentages ascend.
    pub fn percentiles<const N: usize>(&self, percents: [u64; N]) -> [u64; N] {
        let counts: Vec<u64> =
            self.fine.iter().map(|bucket| bucket.load(Ordering::Relaxed)).collect();
        let total: u64 = counts.iter().sum();
        let (least, most) = (self.least.load(Ordering::Relaxed), self.most.load(Ordering::Relaxed));
        let mut buckets = counts.into_iter().enumerate();
        let (mut so_far, mut reached) = (0, 0);
        percents.map(|percent| {
            let rank = (total * percent).div_ceil(100);
            while so_far < rank {
                let Some((at, count)) = buckets.next() else { break };
                (so_far, reached) = (so_far + count, middle(at));
            }
            // The smallest and the largest are known exactly.
            if total == 0 { 0 } else { reached.max(least).min(most) }
        })
    }
}

/// The bucket of a value: its leading bits, and how many bits follow them.
fn fine_bucket(value: u64) -> usize {
    let value = value.min((1 << MAX_BITS) - 1);
    let dropped = (u64::BITS - value.leading_zeros()).saturating_sub(KEPT_BITS);
    (value >> dropped) as usize + ((dropped as usize) << (KEPT_BITS - 1))
}

/// The value in the middle of a bucket.
fn middle(bucket: usize) -> u64 {
    let half = 1 << (KEPT_BITS - 1);
    let dropped = (bucket / half).saturating_sub(1);
    let low = ((bucket - dropped * half) as u64) << dropped;
    low + ((1 << dropped) >> 1)
}

#[cfg(test)]
#[path = "figure_tests.rs"]
mod tests;
