//! Exact search by comparing every vector, as the reference for recall.

use std::collections::BTreeMap;
use std::fs;

use serde::{Deserialize, Serialize};

use super::generate;
use super::workload::Workload;

/// How many nearest vectors are asked for.
pub(crate) const NEAREST: usize = 10;
/// Similarities are sums of 256 products, which stores add in different orders.
const ROUNDING: f32 = 1e-5;

/// For a filter: the similarity of the last of the nearest, by query.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Truth {
    /// The number of vectors to find, by query: fewer than [`NEAREST`] if fewer match the filter.
    /// Vectors without any similarity do not count.
    counts: Vec<usize>,
    least: Vec<f32>,
}

/// The vectors of a workload and the nearest ones of its queries.
#[derive(Debug)]
pub(crate) struct Exact {
    dim: usize,
    vectors: Vec<f32>,
    queries: Vec<Vec<f32>>,
    truths: BTreeMap<String, Truth>,
}

impl Exact {
    /// Compares all with all, and stores the result for the other stores.
    pub(crate) fn of(workload: &Workload, queries: Vec<Vec<f32>>) -> Result<Self, String> {
        let bytes =
            fs::read(workload.folder.join("vectors.f32")).map_err(|error| error.to_string())?;
        let value = |bytes: &[u8]| f32::from_le_bytes(bytes.try_into().unwrap_or_default());
        let vectors = bytes.chunks_exact(4).map(value).collect();
        drop(bytes);
        let mut exact = Self { dim: workload.about.dim, vectors, queries, truths: BTreeMap::new() };
        for (name, tag) in workload.filters() {
            let allowed = allowed(workload, tag)?;
            exact.truths.insert(name.to_owned(), exact.truth(&allowed));
        }
        let text = serde_json::to_string(&exact.truths).map_err(|error| error.to_string())?;
        fs::write(workload.folder.join("truth.json"), text).map_err(|error| error.to_string())?;
        Ok(exact)
    }

    fn truth(&self, allowed: &[usize]) -> Truth {
        let mut truth = Truth::default();
        for query in &self.queries {
            let similarities = allowed.iter().map(|number| self.similarity(*number, query));
            let mut all: Vec<_> = similarities.filter(|similarity| *similarity > 0.0).collect();
            all.sort_unstable_by(|a, b| b.total_cmp(a));
            all.truncate(NEAREST);
            truth.counts.push(all.len());
            truth.least.push(all.last().copied().unwrap_or(1.0));
        }
        truth
    }

    /// The share of the nearest vectors that were found, over all queries.
    pub(crate) fn recall(&self, filter: &str, found: &[Vec<usize>]) -> Option<f64> {
        let truth = self.truths.get(filter)?;
        let near = |(query, numbers): (usize, &Vec<usize>)| {
            let enough = |number: &&usize| {
                self.similarity(**number, &self.queries[query]) >= truth.least[query] - ROUNDING
            };
            numbers.iter().take(truth.counts[query]).filter(enough).count()
        };
        let hits: usize = found.iter().enumerate().map(near).sum();
        Some(hits as f64 / truth.counts.iter().sum::<usize>().max(1) as f64)
    }

    /// Eight parallel sums, which the compiler turns into one instruction.
    fn similarity(&self, number: usize, query: &[f32]) -> f32 {
        let row = &self.vectors[number * self.dim..(number + 1) * self.dim];
        let mut sums = [0.0_f32; 8];
        for (a, b) in row.chunks_exact(8).zip(query.chunks_exact(8)) {
            for (sum, (a, b)) in sums.iter_mut().zip(a.iter().zip(b)) {
                *sum += a * b;
            }
        }
        sums.iter().sum()
    }
}

/// The numbers of the records that have the tag.
fn allowed(workload: &Workload, tag: Option<&str>) -> Result<Vec<usize>, String> {
    let Some(tag) = tag else { return Ok((0..workload.about.records).collect()) };
    let mut numbers = Vec::new();
    for record in workload.records()? {
        let record = record?;
        if record.tags.iter().any(|one| one == tag) {
            numbers.extend(generate::number(&record.id));
        }
    }
    Ok(numbers)
}
