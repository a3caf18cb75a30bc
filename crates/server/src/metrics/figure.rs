//! Numbers that many may count at once.

use std::sync::atomic::{AtomicU64, Ordering};

/// Counts up.
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

/// The upper bounds of the buckets: a 1-2-5 series, which serves milliseconds and tokens alike.
pub(super) const BOUNDS: [u64; 18] = [
    1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000, 200_000,
    500_000,
];

/// How values are spread, as far as the buckets tell.
#[derive(Debug, Default)]
pub struct Histogram {
    buckets: [AtomicU64; BOUNDS.len() + 1],
    sum: AtomicU64,
}

impl Histogram {
    pub fn record(&self, value: u64) {
        let at = BOUNDS.partition_point(|bound| *bound < value);
        self.buckets[at].fetch_add(1, Ordering::Relaxed);
        self.sum.fetch_add(value, Ordering::Relaxed);
    }

    pub fn count(&self) -> u64 {
        self.buckets.iter().map(|bucket| bucket.load(Ordering::Relaxed)).sum()
    }

    pub fn sum(&self) -> u64 {
        self.sum.load(Ordering::Relaxed)
    }

    /// How many values are at most each bound.
    pub(super) fn cumulative(&self) -> impl Iterator<Item = (u64, u64)> {
        let mut so_far = 0;
        BOUNDS.iter().zip(&self.buckets).map(move |(bound, bucket)| {
            so_far += bucket.load(Ordering::Relaxed);
            (*bound, so_far)
        })
    }

    /// A bound that this many of a hundred values do not exceed; the last one for those beyond all.
    pub fn percentile(&self, percent: u64) -> u64 {
        let wanted = (self.count() * percent).div_ceil(100);
        let found = self.cumulative().find(|(_, so_far)| wanted > 0 && *so_far >= wanted);
        match found {
            Some((bound, _)) => bound,
            None if wanted == 0 => 0,
            None => BOUNDS[BOUNDS.len() - 1],
        }
    }
}

#[cfg(test)]
#[path = "figure_tests.rs"]
mod tests;
