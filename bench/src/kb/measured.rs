//! The figures of a store at one size; the same for each store.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::samples::Samples;

/// A store and its figures.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Measured {
    pub(crate) engine: String,
    pub(crate) records: usize,
    pub(crate) ingest_s: f64,
    pub(crate) disk_mb: f64,
    /// Opening in a new process, and the first search after it. The file cache is warm.
    pub(crate) open_ms: f64,
    pub(crate) first_ms: f64,
    /// Resident memory after the searches: in total, without mapped files, and at its peak.
    pub(crate) rss_mb: f64,
    pub(crate) anon_mb: f64,
    pub(crate) peak_mb: f64,
    pub(crate) search: Vec<Speed>,
    /// Share of the ten nearest vectors that the vector part finds, by filter.
    pub(crate) recall: BTreeMap<String, f64>,
}

/// How fast one kind of search is.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Speed {
    pub(crate) filter: String,
    pub(crate) at_once: usize,
    pub(crate) p50_ms: f64,
    pub(crate) p99_ms: f64,
    pub(crate) per_s: f64,
    pub(crate) samples: usize,
}

/// The cost of filling a store.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(crate) struct Filled {
    pub(crate) ingest_s: f64,
    pub(crate) embed_s: f64,
    pub(crate) disk_mb: f64,
}

impl Measured {
    pub(crate) fn read(line: &str) -> Result<Self, String> {
        serde_json::from_str(line.trim()).map_err(|error| format!("{error} in {line:?}"))
    }

    pub(crate) fn speed(&self, filter: &str, at_once: usize) -> Option<&Speed> {
        self.search.iter().find(|speed| speed.filter == filter && speed.at_once == at_once)
    }
}

impl Speed {
    pub(crate) fn of(filter: &str, at_once: usize, samples: &Samples, seconds: f64) -> Self {
        Self {
            filter: filter.to_owned(),
            at_once,
            p50_ms: samples.p50_us() / 1000.0,
            p99_ms: samples.p99_us() / 1000.0,
            per_s: samples.len() as f64 / seconds,
            samples: samples.len(),
        }
    }
}

/// A line of this process's status, in megabytes; 0 where there is no such file.
pub(crate) fn memory_mb(key: &str) -> f64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(':'));
    let kilobytes = line.and_then(|line| line.split_whitespace().next()?.parse::<f64>().ok());
    kilobytes.unwrap_or(0.0) / 1024.0
}

/// The size of a folder in millions of bytes.
pub(crate) fn disk_mb(folder: &Path) -> Result<f64, String> {
    let mut bytes = 0;
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).map_err(|error| error.to_string())? {
            let entry = entry.map_err(|error| error.to_string())?;
            let about = entry.metadata().map_err(|error| error.to_string())?;
            match about.is_dir() {
                true => folders.push(entry.path()),
                false => bytes += about.len(),
            }
        }
    }
    Ok(bytes as f64 / 1e6)
}
