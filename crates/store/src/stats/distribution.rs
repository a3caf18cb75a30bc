//! Percentiles of a stream of numbers in bounded memory.

use std::collections::BTreeMap;

/// How many leading bits of a number are kept. With 11, numbers below 2048 are exact,
/// larger ones within 0.1 %, and there are fewer than 57,000 different ones.
const KEPT_BITS: u32 = 11;

/// How often each number was added.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Distribution {
    counts: BTreeMap<u64, u64>,
    total: u64,
    max: Option<u64>,
}

impl Distribution {
    /// Counts a number.
    pub fn add(&mut self, number: u64) {
        *self.counts.entry(rounded(number)).or_default() += 1;
        self.total += 1;
        self.max = self.max.max(Some(number));
    }

    /// The smallest number that at least `percent` of all numbers do not exceed, within 0.1 %;
    /// `None` if there are no numbers.
    pub fn percentile(&self, percent: u64) -> Option<u64> {
        self.at_rank(self.total.saturating_mul(percent).div_ceil(100).max(1))
    }

    /// How many numbers there are.
    pub fn count(&self) -> u64 {
        self.total
    }

    /// The number of this rank, 1 for the smallest, within 0.1 %; `None` if there are fewer.
    pub fn at_rank(&self, rank: u64) -> Option<u64> {
        let mut seen = 0;
        let (number, _) = self.counts.iter().find(|(_, count)| {
            seen += **count;
            seen >= rank
        })?;
        // The maximum is exact, so no percentile is rounded below it.
        self.max.filter(|max| rounded(*max) == *number).or(Some(*number))
    }

    /// The largest number, exact.
    pub fn max(&self) -> Option<u64> {
        self.max
    }
}

/// The number without its low bits.
fn rounded(number: u64) -> u64 {
    let bits = u64::BITS - number.leading_zeros();
    let low = bits.saturating_sub(KEPT_BITS);
    number >> low << low
}

#[cfg(test)]
#[path = "distribution_tests.rs"]
mod tests;
