//! The durations of many runs, and their statistics.

use std::time::Duration;

use serde_json::json;

/// Durations in nanoseconds.
#[derive(Debug, Default)]
pub(crate) struct Samples(Vec<u64>);

impl Samples {
    pub(crate) fn push(&mut self, took: Duration) {
        self.0.push(u64::try_from(took.as_nanos()).unwrap_or(u64::MAX));
    }

    pub(crate) fn append(&mut self, mut other: Self) {
        self.0.append(&mut other.0);
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    pub(crate) fn p50_us(&self) -> f64 {
        self.percentile_us(50)
    }

    pub(crate) fn p99_us(&self) -> f64 {
        self.percentile_us(99)
    }

    pub(crate) fn worst_us(&self) -> f64 {
        self.percentile_us(100)
    }

    pub(crate) fn mean_us(&self) -> f64 {
        self.0.iter().sum::<u64>() as f64 / self.0.len().max(1) as f64 / 1000.0
    }

    fn percentile_us(&self, percent: usize) -> f64 {
        let mut sorted = self.0.clone();
        sorted.sort_unstable();
        let at = (sorted.len() * percent / 100).min(sorted.len().saturating_sub(1));
        sorted.get(at).map_or(0.0, |ns| *ns as f64 / 1000.0)
    }

    /// One line of JSON, for a machine and a person.
    pub(crate) fn line(&self, what: &str) -> String {
        let rounded = |us: f64| (us * 100.0).round() / 100.0;
        json!({
            "what": what,
            "calls_per_s": (1e6 / self.mean_us()).round(),
            "mean_us": rounded(self.mean_us()),
            "p50_us": rounded(self.p50_us()),
            "p99_us": rounded(self.p99_us()),
        })
        .to_string()
    }
}
