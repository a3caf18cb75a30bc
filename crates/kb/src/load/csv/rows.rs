//! The rows of a CSV file, one held at a time and none beyond the limit.

use csv_core::ReadRecordResult as Step;

use crate::load::input::{TextInput, newlines};
use crate::load::{MAX_ENTRY_BYTES, RecordFlaw};

/// More columns than any table has; a row of commas alone would otherwise grow without bounds.
const MAX_COLUMNS: usize = 1 << 14;

/// The remaining rows.
#[derive(Debug)]
pub(super) struct Rows {
    input: TextInput,
    core: csv_core::Reader,
    line: u64,
    ended: bool,
}

/// A row: its cells one after the other, and where each ends.
#[derive(Debug)]
pub(super) struct CsvRow {
    pub(super) line: u64,
    pub(super) bytes: Vec<u8>,
    pub(super) ends: Vec<usize>,
}

/// A row on the way.
#[derive(Debug)]
struct PartialRow {
    bytes: Vec<u8>,
    ends: Vec<usize>,
    filled: usize,
    columns: usize,
    overflow: FieldOverflow,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FieldOverflow {
    None,
    Happened,
}

impl Rows {
    pub(super) fn new(input: TextInput) -> Self {
        Self { input, core: csv_core::Reader::new(), line: 1, ended: false }
    }

    /// Passes over blank lines, so that a row's line is that of its first cell.
    fn skip_blank(&mut self) -> std::io::Result<Option<()>> {
        loop {
            match self.input.fill()?.first() {
                None => return Ok(None),
                Some(b'\n') => self.line += 1,
                Some(b'\r') => {}
                Some(_) => return Ok(Some(())),
            }
            self.input.consume(1);
        }
    }

    fn row(&mut self) -> std::io::Result<Option<Result<CsvRow, RecordFlaw>>> {
        if self.skip_blank()?.is_none() {
            return Ok(None);
        }
        let line = self.line;
        let mut draw = PartialRow::new();
        loop {
            let next = self.input.fill()?;
            if next.is_empty() {
                self.ended = true;
                return Ok(Some(self.finish(draw, line)));
            }
            let (step, used) = draw.step(&mut self.core, next);
            self.line += newlines(next.get(..used).unwrap_or_default());
            self.input.consume(used);
            if step == Step::Record {
                return Ok(Some(draw.row(line)));
            }
        }
    }

    /// The last row of a file without a line end. If a quote is open, the line end that is added
    /// here becomes part of its cell, which reveals it.
    fn finish(&mut self, mut draw: PartialRow, line: u64) -> Result<CsvRow, RecordFlaw> {
        loop {
            match draw.step(&mut self.core, b"\n") {
                (Step::Record, _) => return draw.row(line),
                (_, 0) => {}
                _ => {
                    let reason = "expected a closing quote in the row that begins here, found the end of the file";
                    return Err(RecordFlaw::at(line, reason));
                }
            }
        }
    }
}

impl Iterator for Rows {
    type Item = Result<CsvRow, RecordFlaw>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        match self.row() {
            Ok(Some(row)) => Some(row),
            Ok(None) => {
                self.ended = true;
                None
            }
            Err(error) => {
                self.ended = true;
                Some(Err(RecordFlaw::unreadable(self.line, &error)))
            }
        }
    }
}

impl PartialRow {
    fn new() -> Self {
        Self {
            bytes: vec![0; 1 << 10],
            ends: vec![0; 1 << 5],
            filled: 0,
            columns: 0,
            overflow: FieldOverflow::None,
        }
    }

    /// Reads bytes; returns the outcome and how many bytes were used.
    fn step(&mut self, core: &mut csv_core::Reader, next: &[u8]) -> (Step, usize) {
        let bytes = self.bytes.get_mut(self.filled..).unwrap_or_default();
        let ends = self.ends.get_mut(self.columns..).unwrap_or_default();
        let (step, used, filled, columns) = core.read_record(next, bytes, ends);
        self.filled += filled;
        self.columns += columns;
        match step {
            Step::OutputFull if self.bytes.len() < MAX_ENTRY_BYTES => {
                self.bytes.resize(self.bytes.len() * 2, 0);
            }
            Step::OutputEndsFull if self.ends.len() < MAX_COLUMNS => {
                self.ends.resize(self.ends.len() * 2, 0);
            }
            Step::OutputFull | Step::OutputEndsFull => self.overflow(),
            Step::InputEmpty | Step::Record | Step::End => {}
        }
        (step, used)
    }

    /// Drops the row so far; the rest of it is read into the same buffer and dropped.
    fn overflow(&mut self) {
        (self.filled, self.columns) = (0, 0);
        self.overflow = FieldOverflow::Happened;
    }

    fn row(mut self, line: u64) -> Result<CsvRow, RecordFlaw> {
        if self.overflow == FieldOverflow::Happened {
            return Err(RecordFlaw::too_large(line, "a row", MAX_ENTRY_BYTES));
        }
        self.bytes.truncate(self.filled);
        self.ends.truncate(self.columns);
        Ok(CsvRow { line, bytes: self.bytes, ends: self.ends })
    }
}
