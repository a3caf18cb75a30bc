//! CSV: the first row names the fields, every other row is a record.
//!
//! An empty cell is a field left out. `tags` are parted by `;`. A column `metadata.<key>` is a
//! text under `metadata`; a column `metadata` holds a JSON object.

mod rows;

use std::collections::HashSet;

use serde_json::{Map, Value};

use super::draft::{near_miss, unknown};
use super::input::{self, TextInput};
use super::{Entry, RecordDraft, RecordFlaw, json};
use crate::record::quote;
use rows::{CsvRow, Rows};

/// The columns that every table has.
const REQUIRED: [&str; 3] = ["id", "title", "text"];

/// The records of a CSV file.
#[derive(Debug)]
pub(super) struct Table {
    rows: Rows,
    state: CsvState,
}

#[derive(Debug)]
enum CsvState {
    Start,
    Open(Vec<String>),
    Ended,
}

impl Table {
    pub(super) fn new(input: TextInput) -> Self {
        Self { rows: Rows::new(input), state: CsvState::Start }
    }

    fn header(&mut self) -> Result<(), RecordFlaw> {
        self.state = CsvState::Ended;
        let row = match self.rows.next() {
            Some(row) => row?,
            None => {
                return Err(RecordFlaw::whole(
                    "expected a row of field names, found only blank lines",
                ));
            }
        };
        let columns = cells(&row)?.map(|cell| cell.trim().to_owned()).collect::<Vec<_>>();
        check_header(&columns).map_err(|reason| RecordFlaw::at(row.line, reason))?;
        self.state = CsvState::Open(columns);
        Ok(())
    }
}

impl Iterator for Table {
    type Item = Entry;

    fn next(&mut self) -> Option<Entry> {
        if matches!(self.state, CsvState::Start)
            && let Err(flaw) = self.header()
        {
            return Some(Err(flaw));
        }
        let CsvState::Open(columns) = &self.state else { return None };
        Some(self.rows.next()?.and_then(|row| draft(columns, &row)))
    }
}

/// A fault in the header is reported once, not for every row.
fn check_header(columns: &[String]) -> Result<(), String> {
    if let Some(empty) = columns.iter().position(String::is_empty) {
        let column = empty + 1;
        return Err(format!(
            "expected a field name in every column, found none in column {column}"
        ));
    }
    let mut seen = HashSet::new();
    if let Some(twice) = columns.iter().find(|name| !seen.insert(name.as_str())) {
        return Err(format!("expected every column once, found {twice:?} twice"));
    }
    if let Some((column, known)) = columns.iter().find_map(|name| Some((name, near_miss(name)?))) {
        return Err(unknown(column, known));
    }
    let missing: Vec<&str> = REQUIRED.into_iter().filter(|field| !seen.contains(field)).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let (missing, found) = (missing.join(" and "), quote(&columns.join(", ")));
    Err(format!("expected columns named after fields, {missing} among them, found {found}"))
}

fn draft(columns: &[String], row: &CsvRow) -> Entry {
    if row.ends.len() != columns.len() {
        let (expected, found) = (columns.len(), row.ends.len());
        return Err(RecordFlaw::at(
            row.line,
            format!("expected {expected} columns, found {found}"),
        ));
    }
    let mut fields = Map::new();
    for (column, cell) in columns.iter().zip(cells(row)?) {
        place(&mut fields, column, cell).map_err(|reason| RecordFlaw::at(row.line, reason))?;
    }
    Ok(RecordDraft { line: row.line, fields })
}

fn cells(row: &CsvRow) -> Result<impl Iterator<Item = &str>, RecordFlaw> {
    let text = input::text(&row.bytes, row.line)?;
    let starts = std::iter::once(0).chain(row.ends.iter().copied());
    let cell = move |(start, end): (usize, &usize)| text.get(start..*end);
    // A cell that ends within a character would be no UTF-8 by itself.
    let cells = starts.zip(&row.ends).map(cell).collect::<Option<Vec<_>>>();
    let broken = || RecordFlaw::at(row.line, "expected UTF-8 in every cell, found other bytes");
    Ok(cells.ok_or_else(broken)?.into_iter())
}

fn place(fields: &mut Map<String, Value>, column: &str, cell: &str) -> Result<(), String> {
    // A text may be empty if its column exists.
    if cell.is_empty() && column != "text" {
        return Ok(());
    }
    if let Some(key) = column.strip_prefix("metadata.") {
        return place_metadata(fields, Map::from_iter([(key.to_owned(), cell.into())]));
    }
    match column {
        "metadata" => match json::inline(cell) {
            Some(Value::Object(metadata)) => place_metadata(fields, metadata),
            _ => Err("`metadata`: expected a JSON object, found something else".to_owned()),
        },
        "tags" => {
            let tags = cell.split(';').map(str::trim).filter(|tag| !tag.is_empty());
            fields.insert(column.to_owned(), tags.collect());
            Ok(())
        }
        _ => {
            fields.insert(column.to_owned(), cell.into());
            Ok(())
        }
    }
}

fn place_metadata(fields: &mut Map<String, Value>, more: Map<String, Value>) -> Result<(), String> {
    let metadata = fields.entry("metadata").or_insert_with(|| Value::Object(Map::new()));
    let Value::Object(metadata) = metadata else { return Ok(()) };
    for (key, value) in more {
        if metadata.contains_key(&key) {
            return Err(format!("`metadata`: expected {key:?} once, found it in two columns"));
        }
        metadata.insert(key, value);
    }
    Ok(())
}
