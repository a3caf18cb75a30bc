//! `aileron kb export`: all records as JSON lines, by id; `ingest` restores them unchanged.

use aileron_kb::{KbError, KnowledgeBase};

use crate::args::KbExportArgs;
use crate::commands::findings::written;
use crate::json_lines::JsonLines;
use crate::knowledge::failure;
use crate::output::{self, ExitOutcome, Failure, StdoutReader, count};

const NOTHING: &str = "the knowledge base has no records; fill it with `aileron kb ingest`";

pub(super) fn run(args: &KbExportArgs, kb: &KnowledgeBase) -> Result<ExitOutcome, Failure> {
    super::must_exist(kb)?;
    let mut lines = JsonLines::to(args.out.as_deref())?;
    let exported = write(kb, &mut lines)?;
    lines.finish()?;
    if exported == 0 {
        output::talk(NOTHING);
    } else if let Some(path) = &args.out {
        output::talk(&format!("{} written to {}", count(exported, "record"), written(path)));
    }
    Ok(ExitOutcome::Fine)
}

/// The number of written records, up to the last one or until stdout was closed.
fn write(kb: &KnowledgeBase, lines: &mut JsonLines) -> Result<usize, Failure> {
    let (mut exported, mut ended) = (0, None);
    let walked = kb.each(|record| match lines.put(&record) {
        Ok(StdoutReader::There) => {
            exported += 1;
            Ok(())
        }
        end => {
            ended = Some(end);
            Err(KbError::Disk { why: "the export ended early".to_owned() })
        }
    });
    match ended {
        Some(end) => end.map(|_| exported),
        None => walked.map(|()| exported).map_err(failure),
    }
}
