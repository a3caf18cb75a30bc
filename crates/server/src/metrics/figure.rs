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

    /// The counts of the fine buckets, in which [`percentiles_of_counts`] finds percentiles.
    pub(super) fn fine_counts(&self) -> Vec<u64> {
        self.fine.iter().map(|bucket| bucket.load(Ordering::Relaxed)).collect()
    }

    /// The values as scrapers get them.
    pub(super) fn buckets(&self) -> BucketCounts {
        BucketCounts::read(&BOUNDS, &self.coarse, &self.sum)
    }

    /// For each percentage, the value that so many percent of the values do not exceed, within 0.4 %; 0 if
    /// there are no values. The percentages ascend.
    pub fn percentiles<const N: usize>(&self, percents: [u64; N]) -> [u64; N] {
        Self::percentiles_of(&[self], percents)
    }

    /// The same over the values of several histograms.
    pub(super) fn percentiles_of<const N: usize>(all: &[&Self], percents: [u64; N]) -> [u64; N] {
        let at = |bucket: usize| {
            all.iter().map(|one| one.fine[bucket].load(Ordering::Relaxed)).sum::<u64>()
        };
        let counts: Vec<u64> = (0..FINE).map(at).collect();
        let least = all.iter().map(|one| one.least.load(Ordering::Relaxed)).min().unwrap_or(0);
        let most = all.iter().map(|one| one.most.load(Ordering::Relaxed)).max().unwrap_or(0);
        // The smallest and the largest are known exactly.
        percentiles_of_counts(&counts, percents)
            .map(|found| found.map_or(0, |value| value.max(least).min(most)))
    }
}

/// For each percentage, which ascend, the middle of the fine bucket that so many percent of the values do not
/// exceed; `None` if there are no values.
pub(super) fn percentiles_of_counts<const N: usize>(
    counts: &[u64],
    percents: [u64; N],
) -> [Option<u64>; N] {
    let total: u64 = counts.iter().sum();
    let mut buckets = counts.iter().enumerate();
    let (mut so_far, mut reached) = (0, 0);
    percents.map(|percent| {
        let rank = (total * percent).div_ceil(100);
        while so_far < rank {
            let Some((at, count)) = buckets.next() else { break };
            (so_far, reached) = (so_far + count, middle(at));
        }
        (total > 0).then_some(reached)
    })
}

/// A distribution by fixed bounds only, which takes a few hundred bytes. Recording takes no lock.
#[derive(Debug)]
pub(super) struct Buckets<const N: usize> {
    bounds: &'static [u64; N],
    counts: [AtomicU64; N],
    above: AtomicU64,
    sum: AtomicU64,
}

impl<const N: usize> Buckets<N> {
    pub(super) fn new(bounds: &'static [u64; N]) -> Self {
        let counts = std::array::from_fn(|_| AtomicU64::new(0));
        Self { bounds, counts, above: AtomicU64::new(0), sum: AtomicU64::new(0) }
    }

    pub(super) fn record(&self, value: u64) {
        let at = self.bounds.partition_point(|bound| *bound < value);
        self.counts.get(at).unwrap_or(&self.above).fetch_add(1, Ordering::Relaxed);
        self.sum.fetch_add(value, Ordering::Relaxed);
    }

    /// The values as scrapers get them.
    pub(super) fn buckets(&self) -> BucketCounts {
        BucketCounts::read(self.bounds, self.counts.iter().chain([&self.above]), &self.sum)
    }
}

/// The counts of a histogram at one moment: for each upper bound the values above the bound before, and the
/// values above the last bound.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct BucketCounts {
    pub(super) bounds: &'static [u64],
    pub(super) counts: Vec<u64>,
    pub(super) sum: u64,
}

impl BucketCounts {
    fn read<'a>(
        bounds: &'static [u64],
        counts: impl IntoIterator<Item = &'a AtomicU64>,
        sum: &AtomicU64,
    ) -> Self {
        let counts = counts.into_iter().map(|count| count.load(Ordering::Relaxed)).collect();
        Self { bounds, counts, sum: sum.load(Ordering::Relaxed) }
    }

    pub(super) fn count(&self) -> u64 {
        self.counts.iter().sum()
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
