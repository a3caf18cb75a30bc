//! The last values of a figure, for exact percentiles in bounded space.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// How many values are kept.
const KEPT: usize = 1000;

/// A place that has no value yet.
const NONE: u32 = u32::MAX;

/// The last 1,000 values (4 KB). Recording takes no lock.
#[derive(Debug)]
pub(super) struct RecentValues {
    values: Box<[AtomicU32]>,
    recorded: AtomicU64,
}

impl Default for RecentValues {
    fn default() -> Self {
        let values = (0..KEPT).map(|_| AtomicU32::new(NONE)).collect();
        Self { values, recorded: AtomicU64::new(0) }
    }
}

impl RecentValues {
    /// Records a value; returns the one that it replaces.
    pub(super) fn record(&self, value: u64) -> Option<u64> {
        let at = self.recorded.fetch_add(1, Ordering::Relaxed) as usize % KEPT;
        let value = u32::try_from(value).unwrap_or(NONE).min(NONE - 1);
        let replaced = self.values.get(at)?.swap(value, Ordering::Relaxed);
        (replaced != NONE).then_some(u64::from(replaced))
    }

    /// How many values are kept.
    pub(super) fn len(&self) -> usize {
        (self.recorded.load(Ordering::Relaxed) as usize).min(KEPT)
    }

    /// For each percentage, the value that so many percent of the values do not exceed; 0 if there are none.
    pub(super) fn percentiles<const N: usize>(&self, percents: [usize; N]) -> [u64; N] {
        let values = self.values.iter().map(|value| value.load(Ordering::Relaxed));
        let mut sorted: Vec<u32> = values.filter(|value| *value != NONE).collect();
        sorted.sort_unstable();
        percents.map(|percent| {
            let rank = (sorted.len() * percent).div_ceil(100);
            rank.checked_sub(1).and_then(|at| sorted.get(at)).copied().map_or(0, u64::from)
        })
    }
}
