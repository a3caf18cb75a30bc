//! `aileron audit tail`: the newest records, and those that come after them.

use std::time::Duration;

use aileron_contract::AuditRecord;
use aileron_store::{AuditFilter, AuditLog};

use super::row::{COLUMNS, row};
use super::{failure, nothing};
use crate::args::{DataFormat, TailArgs};
use crate::interrupt::Interrupt;
use crate::output::{self, ExitOutcome, Failure, StdoutReader};
use crate::table::Table;

/// Interval at which the log is polled.
const POLL: Duration = Duration::from_millis(200);

pub(super) fn run(args: &TailArgs, log: &AuditLog) -> Result<ExitOutcome, Failure> {
    let filter = args.filters.filter()?;
    let interrupt = args.follow.then(Interrupt::watch).transpose()?;
    let end = log.end().map_err(failure)?;
    let newest = AuditFilter { limit: Some(args.lines), ..filter.clone() };
    let records = log.newest(&newest, end).map_err(failure)?;
    let mut printer = Printer::new(args.format);
    if records.is_empty() {
        output::talk(nothing(log)?);
    }
    if printer.print(&records)? == StdoutReader::There
        && let Some(interrupt) = interrupt
    {
        follow(log, AuditFilter { from: end, ..filter }, &mut printer, interrupt)?;
    }
    Ok(ExitOutcome::Fine)
}

/// Prints records as they arrive, until Ctrl-C or until stdout is closed.
fn follow(
    log: &AuditLog,
    mut filter: AuditFilter,
    printer: &mut Printer,
    mut interrupt: Interrupt,
) -> Result<(), Failure> {
    while !interrupt.came_within(POLL) {
        // Read first: records before `end` that do not match need not be read again.
        let end = log.end().map_err(failure)?;
        let records: Result<Vec<_>, _> = log.read(filter.clone()).collect();
        let records = records.map_err(failure)?;
        filter.from = records.last().map_or(end, |last| end.max(last.seq + 1));
        if printer.print(&records)? == StdoutReader::Left {
            return Ok(());
        }
    }
    Ok(())
}

/// Prints records in the requested format.
struct Printer {
    format: DataFormat,
    /// Absent until the titles are printed.
    table: Option<Table<9>>,
}

impl Printer {
    fn new(format: DataFormat) -> Self {
        Self { format, table: None }
    }

    fn print(&mut self, records: &[AuditRecord]) -> Result<StdoutReader, Failure> {
        if records.is_empty() {
            return Ok(StdoutReader::There);
        }
        output::offer(&match self.format {
            DataFormat::Json => lines(records),
            DataFormat::Text => self.rows(records),
        })
    }

    fn rows(&mut self, records: &[AuditRecord]) -> String {
        let rows: Vec<_> = records.iter().map(row).collect();
        match &mut self.table {
            Some(table) => table.more(&rows),
            None => self.table.insert(Table::new(COLUMNS)).whole(&rows),
        }
    }
}

fn lines(records: &[AuditRecord]) -> String {
    let line = |record| serde_json::to_string(record).unwrap_or_default();
    records.iter().map(line).collect::<Vec<_>>().join("\n")
}
