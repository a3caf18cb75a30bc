//! Statistics over audit records: how often each tool is called, its success rate, duration and
//! result size. Records are processed one by one and not kept.

mod by_version;
mod distribution;
mod figures;
pub mod interval;

use std::collections::BTreeMap;

use aileron_contract::{AuditEntry, AuditRecord};

pub use by_version::{Comparison, VersionFigures, VersionStats, compare};
pub use distribution::Distribution;
pub use figures::Figures;

use crate::error::StoreError;

/// The figures of every tool, and of unknown tools.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Stats {
    /// By tool id.
    pub tools: BTreeMap<String, Figures>,
    /// Calls of unknown tools. One sum, because a model may invent any number of names.
    pub unknown: Figures,
    pub totals: Figures,
}

impl Stats {
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
        self.totals.add(entry);
        self.figures_of(entry).add(entry);
    }

    fn figures_of(&mut self, entry: &AuditEntry) -> &mut Figures {
        match entry.tool_version {
            Some(_) => self.tools.entry(entry.tool_id.clone()).or_default(),
            None => &mut self.unknown,
        }
    }
}

#[cfg(test)]
#[path = "stats_tests.rs"]
mod tests;
