//! Standard measures of a ranking.

use std::collections::HashMap;

const TOP: usize = 10;

/// Measures of one ranking, or of many added up.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Metrics {
    /// Normalised discounted cumulative gain of the first ten.
    pub(crate) ndcg: f64,
    /// The share of answers that are found at all.
    pub(crate) recall: f64,
    /// One over the place of the first answer, if it is among ten.
    pub(crate) mrr: f64,
}

impl Metrics {
    /// `found` is best first; `grades` says how good each answer is.
    pub(crate) fn of(found: &[&str], grades: &HashMap<String, f64>) -> Self {
        let grade = |id: &&str| grades.get(*id).copied().unwrap_or(0.0);
        let mut ideal: Vec<f64> = grades.values().copied().filter(|grade| *grade > 0.0).collect();
        ideal.sort_by(|a, b| b.total_cmp(a));
        let answers = found.iter().filter(|id| grade(id) > 0.0).count();
        let first = found.iter().take(TOP).position(|id| grade(id) > 0.0);
        Self {
            ndcg: gain(found.iter().map(grade))
                / gain(ideal.iter().copied()).max(f64::MIN_POSITIVE),
            recall: answers as f64 / ideal.len().max(1) as f64,
            mrr: first.map_or(0.0, |place| 1.0 / (place + 1) as f64),
        }
    }

    pub(crate) fn add(&mut self, other: &Self) {
        self.ndcg += other.ndcg;
        self.recall += other.recall;
        self.mrr += other.mrr;
    }

    pub(crate) fn divided(self, by: usize) -> Self {
        let by = by.max(1) as f64;
        Self { ndcg: self.ndcg / by, recall: self.recall / by, mrr: self.mrr / by }
    }
}

fn gain(grades: impl Iterator<Item = f64>) -> f64 {
    grades.take(TOP).enumerate().map(|(place, grade)| grade / ((place + 2) as f64).log2()).sum()
}

#[cfg(test)]
#[path = "metrics_tests.rs"]
mod tests;
