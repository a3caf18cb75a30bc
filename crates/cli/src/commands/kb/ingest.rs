//! `aileron kb ingest`: ingests files and reports the result.

mod bar;
mod report;
mod watch;

use std::time::Instant;

use aileron_kb::ingest::{self, MissingRecords};
use aileron_kb::{IndexStart, KbError, KnowledgeBase};
use serde_json::json;

use self::bar::Bar;
use self::report::{IngestLog, IngestSummary};
use crate::args::{DataFormat, IngestArgs};
use crate::commands::findings::pretty;
use crate::knowledge;
use crate::output::{self, ExitOutcome, Failure, count};

/// The additional message when an ingest fails.
const NOTHING_IN: &str = "nothing of this ingest was taken in";

pub(super) fn run(args: &IngestArgs, kb: KnowledgeBase) -> Result<ExitOutcome, Failure> {
    let start = if args.rebuild { IndexStart::Rebuild } else { IndexStart::Continue };
    if args.paths.is_empty() {
        return rebuild(args, &kb);
    }
    if args.watch {
        return watch::run(args, kb, start);
    }
    let ingested = once(args, &kb, start)?;
    output::talk(&ingested.text(args));
    if args.format == DataFormat::Json {
        output::data(&pretty(&ingested.json(args)))?;
    }
    Ok(ingested.outcome())
}

/// One ingest.
fn once(
    args: &IngestArgs,
    kb: &KnowledgeBase,
    start: IndexStart,
) -> Result<IngestSummary, Failure> {
    let began = Instant::now();
    let change = match args.dry_run {
        true => kb.rehearse(),
        false => kb.begin(start),
    };
    let change = change.map_err(knowledge::failure)?;
    let gone = if args.prune { MissingRecords::Remove } else { MissingRecords::Keep };
    let mut notes = IngestLog::new(args, Bar::over(&args.paths));
    let report = ingest::run(change, &args.paths, gone, &mut notes);
    notes.finish();
    let report = report.map_err(unfinished)?;
    Ok(IngestSummary {
        report,
        refusals: notes.refusals,
        skipped: notes.skipped,
        took: began.elapsed(),
    })
}

fn unfinished(error: KbError) -> Failure {
    match knowledge::failure(error) {
        Failure::Usage(message) => Failure::Usage(format!("{message}; {NOTHING_IN}")),
        Failure::Failed(message) => Failure::Failed(format!("{message}; {NOTHING_IN}")),
    }
}

/// Rebuilds the index, without reading any file.
fn rebuild(args: &IngestArgs, kb: &KnowledgeBase) -> Result<ExitOutcome, Failure> {
    super::must_exist(kb)?;
    let began = Instant::now();
    let change = kb.begin(IndexStart::Rebuild).map_err(knowledge::failure)?;
    change.commit().map_err(knowledge::failure)?;
    let stats = kb.stats().map_err(knowledge::failure)?;
    let millis = began.elapsed().as_millis();
    match args.format {
        DataFormat::Json => output::data(&pretty(&json!({
            "rebuilt": stats.records, "passages": stats.passages, "model": stats.model,
            "durationMs": millis,
        })))?,
        DataFormat::Text => {
            let records = usize::try_from(stats.records).unwrap_or(usize::MAX);
            let model = stats.model.as_deref().unwrap_or("no embeddings");
            let records = count(records, "record");
            output::talk(&format!("index of {records} made again with {model} in {millis} ms"));
        }
    }
    Ok(ExitOutcome::Fine)
}
