//! 95 % confidence intervals for the difference of two success rates and of two percentiles.
//!
//! Rates: Newcombe's interval, which combines the Wilson score intervals of both rates. Percentiles: the interval
//! of each is a pair of order statistics, chosen by the binomial distribution of the rank, which assumes nothing
//! about the shape of the durations; two of them are combined in the same way as the rates (known as MOVER).

use super::distribution::Distribution;

/// The standard normal quantile of 97.5 %.
const Z: f64 = 1.959_963_984_540_054;

/// The probability on each side outside of an interval.
const TAIL: f64 = 0.025;

/// A value with the limits of its confidence interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    pub value: f64,
    pub low: f64,
    pub high: f64,
}

/// The meaning of an interval of a difference.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    Lower,
    Higher,
    /// The interval contains zero.
    NotShown,
}

impl Estimate {
    /// Its meaning, read as a difference.
    pub fn verdict(&self) -> Verdict {
        match (self.low > 0.0, self.high < 0.0) {
            (true, _) => Verdict::Higher,
            (_, true) => Verdict::Lower,
            (false, false) => Verdict::NotShown,
        }
    }

    /// The interval of `self - other`.
    fn minus(&self, other: &Self) -> Self {
        let value = self.value - other.value;
        let below = (self.value - self.low).hypot(other.high - other.value);
        let above = (self.high - self.value).hypot(other.value - other.low);
        Self { value, low: value - below, high: value + above }
    }
}

/// The Wilson score interval of a rate; `None` without trials.
pub fn rate(successes: u64, trials: u64) -> Option<Estimate> {
    if trials == 0 {
        return None;
    }
    let (n, p) = (trials as f64, successes as f64 / trials as f64);
    let z2 = Z * Z;
    let middle = (p + z2 / (2.0 * n)) / (1.0 + z2 / n);
    let half = Z / (1.0 + z2 / n) * (p * (1.0 - p) / n + z2 / (4.0 * n * n)).sqrt();
    Some(Estimate { value: p, low: (middle - half).max(0.0), high: (middle + half).min(1.0) })
}

/// Newcombe's interval of `new - old`, each given as successes and trials.
pub fn rate_difference(old: (u64, u64), new: (u64, u64)) -> Option<Estimate> {
    Some(rate(new.0, new.1)?.minus(&rate(old.0, old.1)?))
}

/// The interval of a percentile by order statistics; `None` if there are too few numbers for it.
pub fn percentile(numbers: &Distribution, percent: u64) -> Option<Estimate> {
    let (low, high) = ranks(numbers.count(), percent as f64 / 100.0)?;
    let at = |rank| numbers.at_rank(rank).map(|number| number as f64);
    Some(Estimate { value: numbers.percentile(percent)? as f64, low: at(low)?, high: at(high)? })
}

/// The interval of `new - old`.
pub fn percentile_difference(
    old: &Distribution,
    new: &Distribution,
    percent: u64,
) -> Option<Estimate> {
    Some(percentile(new, percent)?.minus(&percentile(old, percent)?))
}

/// The ranks whose order statistics enclose a quantile with 95 % confidence: with B binomial(n, p), the largest
/// rank with P(B < rank) at most 2.5 %, and the smallest with P(B >= rank) at most 2.5 %.
fn ranks(n: u64, p: f64) -> Option<(u64, u64)> {
    let odds = (p / (1.0 - p)).ln();
    let mut log_mass = n as f64 * (1.0 - p).ln();
    let (mut below, mut low) = (0.0, 0);
    for rank in 0..=n {
        // Here `below` is P(B < rank).
        if below <= TAIL {
            low = rank;
        }
        if 1.0 - below <= TAIL {
            return (low >= 1).then_some((low, rank));
        }
        below += log_mass.exp();
        log_mass += ((n - rank) as f64 / (rank + 1) as f64).ln() + odds;
    }
    None
}

#[cfg(test)]
#[path = "interval_tests.rs"]
mod tests;
