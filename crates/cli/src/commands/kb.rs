//! `aileron kb`: fills, searches and maintains the knowledge base.

mod export;
mod get;
mod ingest;
mod record;
mod remove;
mod search;
mod stats;

use std::path::Path;

use aileron_contract::kb::MissingRecord;
use aileron_kb::KnowledgeBase;

use crate::args::{KbArgs, KbCommand, KbPlaceArgs};
use crate::knowledge;
use crate::output::{self, ExitOutcome, Failure, tame};
use crate::settings::Settings;

pub(crate) fn run(args: &KbArgs, config: Option<&Path>) -> Result<ExitOutcome, Failure> {
    let settings = Settings::load(config)?;
    let open = |place: &KbPlaceArgs| knowledge::open(&settings, place.folder.as_deref());
    match &args.command {
        KbCommand::Ingest(args) => ingest::run(args, open(&args.place)?),
        KbCommand::Search(args) => search::run(args, open(&args.place)?),
        KbCommand::Get(args) => get::run(args, &open(&args.place)?),
        KbCommand::Stats(args) => stats::run(args, &open(&args.place)?),
        KbCommand::Export(args) => export::run(args, &open(&args.place)?),
        KbCommand::Remove(args) => remove::run(args, &open(&args.place)?),
    }
}

/// Fails if there is no knowledge base; for commands that must not create one.
fn must_exist(kb: &KnowledgeBase) -> Result<(), Failure> {
    match kb.exists() {
        true => Ok(()),
        false => {
            Err(knowledge::failure(aileron_kb::KbError::Missing { path: kb.folder().to_owned() }))
        }
    }
}

/// Names ids that no record has, with those that look most like them.
fn name_missing(missing: &[MissingRecord]) {
    for MissingRecord { id, closest } in missing {
        let way_out = match closest.as_slice() {
            [] => "`aileron kb search` finds records by their words".to_owned(),
            closest => format!("the closest are: {}", tame(&closest.join(", "))),
        };
        output::talk(&format!("there is no record {id:?}; {way_out}"));
    }
}
