//! `aileron audit export`: records as JSON lines, for other programs.

use aileron_store::AuditLog;

use super::{failure, nothing};
use crate::args::ExportArgs;
use crate::commands::findings::written;
use crate::json_lines::JsonLines;
use crate::output::{self, ExitOutcome, Failure, StdoutReader, count};

pub(super) fn run(args: &ExportArgs, log: &AuditLog) -> Result<ExitOutcome, Failure> {
    let records = log.read(args.filters.filter()?);
    let mut lines = JsonLines::to(args.out.as_deref())?;
    let mut exported = 0;
    for record in records {
        if lines.put(&record.map_err(failure)?)? == StdoutReader::Left {
            break;
        }
        exported += 1;
    }
    lines.finish()?;
    if exported == 0 {
        output::talk(nothing(log)?);
    } else if let Some(path) = &args.out {
        output::talk(&format!("{} written to {}", count(exported, "record"), written(path)));
    }
    Ok(ExitOutcome::Fine)
}
