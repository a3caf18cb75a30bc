//! Fills a knowledge base with the records of a workload, in one change.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use aileron_kb::{IndexStart, KnowledgeBase};

use super::measured::{Filled, disk_mb};
use super::ready::Ready;
use super::workload::Workload;

/// Records that are read before the clock is started.
const BATCH: usize = 10_000;

pub(crate) fn run(folder: &Path) -> Result<(), String> {
    let workload = Workload::read(folder)?;
    let base = workload.base();
    if base.exists() {
        fs::remove_dir_all(&base).map_err(|error| error.to_string())?;
    }
    let embedder = Arc::new(Ready::default());
    let took = fill(&workload, &KnowledgeBase::at(&base, Some(embedder.clone())))?;
    let filled = Filled {
        ingest_s: took.as_secs_f64(),
        embed_s: embedder.documents_took().as_secs_f64(),
        disk_mb: disk_mb(&base)?,
    };
    let text = serde_json::to_string(&filled).map_err(|error| error.to_string())?;
    fs::write(folder.join("aileron.json"), text).map_err(|error| error.to_string())
}

/// Reading the records is not counted; all work that makes them durable is.
fn fill(workload: &Workload, base: &KnowledgeBase) -> Result<Duration, String> {
    let mut took = Duration::ZERO;
    let mut records = workload.records()?;
    let mut change = base.begin(IndexStart::Continue).map_err(|error| error.to_string())?;
    loop {
        let batch = records.by_ref().take(BATCH).collect::<Result<Vec<_>, _>>()?;
        let begun = Instant::now();
        if batch.is_empty() {
            change.commit().map_err(|error| error.to_string())?;
            return Ok(took + begun.elapsed());
        }
        for record in batch {
            change.put(record, "records.jsonl").map_err(|error| error.to_string())?;
        }
        took += begun.elapsed();
    }
}
