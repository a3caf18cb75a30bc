//! The last values of a figure, for exact percentiles in bounded space.

use std::sync::atomic::{AtomicU64, Ordering};

/// How many values are kept.
const KEPT: usize = 1000;

/// A place that has no value yet.
const NONE: u64 = u64::MAX;

/// The last 1,000 values, each with the step of the time series in which it was recorded (8 KB). Recording takes
/// no lock.
#[derive(Debug)]
pub(super) struct RecentValues {
    /// The step in the upper half, the value in the lower one.
    values: Box<[AtomicU64]>,
    recorded: AtomicU64,
}

impl Default for RecentValues {
    fn default() -> Self {
        let values = (0..KEPT).map(|_| AtomicU64::new(NONE)).collect();
        Self { values, recorded: AtomicU64::new(0) }
    }
}

impl RecentValues {
    /// Records a value; returns the one that it replaces.
    pub(super) fn record(&self, value: u64, step: u32) -> Option<u64> {
        let at = self.recorded.fetch_add(1, Ordering::Relaxed) as usize % KEPT;
        let stored = u64::from(step) << 32 | value.min(u64::from(u32::MAX - 1));
        let replaced = self.values.get(at)?.swap(stored, Ordering::Relaxed);
        (replaced != NONE).then_some(replaced & u64::from(u32::MAX))
    }

    /// How many values are kept.
    pub(super) fn len(&self) -> usize {
        (self.recorded.load(Ordering::Relaxed) as usize).min(KEPT)
    }

    /// For each percentage, the value that so many percent of the values do not exceed; 0 if there are none.
    pub(super) fn percentiles<const N: usize>(&self, percents: [usize; N]) -> [u64; N] {
        self.percentiles_since(0, percents).map(Option::unwrap_or_default)
    }

    /// The same for the values since a step; `None` if there are none.
    pub(super) fn percentiles_since<const N: usize>(
        &self,
        step: u32,
        percents: [usize; N],
    ) -> [Option<u64>; N] {
        let stored = self.values.iter().map(|value| value.load(Ordering::Relaxed));
        let since = stored.filter(|stored| *stored != NONE && *stored >> 32 >= u64::from(step));
        let mut sorted: Vec<u64> = since.map(|stored| stored & u64::from(u32::MAX)).collect();
        sorted.sort_unstable();
        percents.map(|percent| {
            let rank = (sorted.len() * percent).div_ceil(100);
            rank.checked_sub(1).and_then(|at| sorted.get(at)).copied()
        })
    }
}
