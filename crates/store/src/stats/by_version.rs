//! The figures of each tool by the version of its registry, and the comparison of two versions.

use std::collections::{BTreeMap, BTreeSet};

use aileron_contract::{AuditEntry, AuditRecord};

use super::figures::Figures;
use super::interval::{self, Estimate};
use crate::error::StoreError;

/// The figures of every tool by registry version. Calls of unknown tools are not counted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct VersionStats {
    /// By tool id, then by registry version.
    pub tools: BTreeMap<String, BTreeMap<String, VersionFigures>>,
    /// The sums of each registry version.
    pub totals: BTreeMap<String, VersionFigures>,
    spans: BTreeMap<String, VersionSpan>,
}

/// Some calls under one registry version.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct VersionFigures {
    pub figures: Figures,
    /// The versions of the tool itself; usually one.
    pub tool_versions: BTreeSet<String>,
}

/// The first and the last call under a registry version, in milliseconds since the Unix epoch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct VersionSpan {
    first: u64,
    last: u64,
}

/// The differences of one tool under two registry versions: the newer minus the older. `None` if there are too
/// few calls.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    pub success: Option<Estimate>,
    pub p50: Option<Estimate>,
    pub p95: Option<Estimate>,
}

impl VersionStats {
    /// Reads all records; stops at the first that cannot be read.
    pub fn of<R>(records: R) -> Result<Self, StoreError>
    where
        R: IntoIterator<Item = Result<AuditRecord, StoreError>>,
    {
        let mut stats = Self::default();
        records.into_iter().try_for_each(|record| record.map(|record| stats.add(&record.entry)))?;
        Ok(stats)
    }

    /// Counts one more call.
    pub fn add(&mut self, entry: &AuditEntry) {
        let Some(tool_version) = &entry.tool_version else { return };
        let registry = &entry.registry_version;
        let of_tool = self.tools.entry(entry.tool_id.clone()).or_default();
        for figures in [&mut *of_tool, &mut self.totals] {
            let figures = figures.entry(registry.clone()).or_default();
            figures.figures.add(entry);
            figures.tool_versions.insert(tool_version.clone());
        }
        let span = VersionSpan { first: entry.time, last: entry.time };
        let span = self.spans.entry(registry.clone()).or_insert(span);
        span.first = span.first.min(entry.time);
        span.last = span.last.max(entry.time);
    }

    /// The registry versions, the one that was used first at the beginning.
    pub fn versions(&self) -> Vec<&str> {
        let mut versions: Vec<_> = self.spans.iter().collect();
        versions.sort_by_key(|(version, span)| (span.first, *version));
        versions.into_iter().map(|(version, _)| version.as_str()).collect()
    }

    /// The two versions that were used last, the one that was used first at the beginning.
    pub fn last_two(&self) -> Option<(&str, &str)> {
        let mut versions: Vec<_> = self.spans.iter().collect();
        versions.sort_by_key(|(version, span)| (span.last, *version));
        let [.., (one, first), (two, second)] = versions.as_slice() else { return None };
        match first.first <= second.first {
            true => Some((one, two)),
            false => Some((two, one)),
        }
    }
}

/// Compares the figures of one tool under two versions.
pub fn compare(old: &Figures, new: &Figures) -> Comparison {
    let percentile =
        |percent| interval::percentile_difference(&old.durations, &new.durations, percent);
    Comparison {
        success: interval::rate_difference((old.succeeded, old.ran), (new.succeeded, new.ran)),
        p50: percentile(50),
        p95: percentile(95),
    }
}

#[cfg(test)]
#[path = "by_version_tests.rs"]
mod tests;
