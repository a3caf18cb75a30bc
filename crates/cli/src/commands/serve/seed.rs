//! A first knowledge base, so that there is something to find.

use std::path::{Path, PathBuf};
use std::time::Instant;

use aileron_kb::ingest::{self, Gone, Observer};
use aileron_kb::{KnowledgeBase, Start};

use super::screen::Screen;
use crate::knowledge;
use crate::output::{self, Failure};
use crate::settings::Settings;

/// Takes in what the settings name, if there is no knowledge base, and says what there is.
pub(super) fn knowledge(settings: &Settings, screen: &mut Screen) -> Result<(), Failure> {
    let base = knowledge::open(settings, None)?;
    let (seed, folder) = (&settings.kb.seed, settings.kb.path.display());
    if !base.exists() && seed.is_dir() {
        take_in(&base, seed)?;
    }
    match base.exists() {
        true => {
            let records = base.stats().map_err(knowledge::failure)?.records;
            screen.row("knowledge", format!("{records} records ({folder})"));
        }
        false => screen.off(format!(
            "knowledge: there is none at {folder}; `aileron kb ingest <path>` makes it"
        )),
    }
    Ok(())
}

fn take_in(base: &KnowledgeBase, seed: &Path) -> Result<(), Failure> {
    let began = Instant::now();
    output::talk(&format!("no knowledge base yet: taking in `{}`", seed.display()));
    let change = base.begin(Start::Continue).map_err(knowledge::failure)?;
    let paths: [PathBuf; 1] = [seed.to_owned()];
    let report = ingest::run(change, &paths, Gone::Keep, &mut Quiet).map_err(knowledge::failure)?;
    let (added, millis) = (report.added, began.elapsed().as_millis());
    output::talk(&format!("{added} records taken in, in {millis} ms\n"));
    Ok(())
}

/// The lines before and after are enough.
struct Quiet;

impl Observer for Quiet {}
