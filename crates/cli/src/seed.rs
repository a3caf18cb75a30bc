//! Seeds the knowledge base at the first start.

use std::path::{Path, PathBuf};
use std::time::Instant;

use aileron_kb::ingest::{self, IngestObserver, MissingRecords};
use aileron_kb::{IndexStart, KnowledgeBase};

use crate::knowledge;
use crate::output::{self, Failure};
use crate::settings::Settings;

/// The knowledge base of the settings. If it does not exist, the seed folder is ingested, if that
/// exists.
pub(crate) fn knowledge(settings: &Settings) -> Result<KnowledgeBase, Failure> {
    let base = knowledge::open(settings, None)?;
    let seed = &settings.kb.seed;
    if !base.exists() && seed.is_dir() {
        take_in(&base, seed)?;
    }
    Ok(base)
}

fn take_in(base: &KnowledgeBase, seed: &Path) -> Result<(), Failure> {
    let began = Instant::now();
    output::talk(&format!("no knowledge base yet: taking in `{}`", seed.display()));
    let change = base.begin(IndexStart::Continue).map_err(knowledge::failure)?;
    let paths: [PathBuf; 1] = [seed.to_owned()];
    let report = ingest::run(change, &paths, MissingRecords::Keep, &mut SilentObserver)
        .map_err(knowledge::failure)?;
    let (added, millis) = (report.added, began.elapsed().as_millis());
    output::talk(&format!("{added} records taken in, in {millis} ms\n"));
    Ok(())
}

/// No progress output; the messages before and after are enough.
struct SilentObserver;

impl IngestObserver for SilentObserver {}
