//! A text file is one record, named after the file; and reading files that are one record.

use std::path::Path;

use serde_json::Map;

use super::input::{self, Chunk, TextInput};
use super::{Entry, RecordDraft, RecordFlaw};
use crate::record::{MAX_TEXT_BYTES, MAX_TITLE_CHARS};

/// Room for a text with a carriage return in every line, or with markup.
const MAX_BYTES: usize = 4 * MAX_TEXT_BYTES;

pub(super) fn draft(input: TextInput, path: &Path) -> Entry {
    let text = whole(input, "a text file")?;
    if text.trim().is_empty() {
        return Err(RecordFlaw::whole("expected a record, found only white space"));
    }
    let fields =
        [("title".to_owned(), file_title(path).into()), ("text".to_owned(), text.trim().into())];
    Ok(RecordDraft { line: 1, fields: Map::from_iter(fields) })
}

/// All of a file as text, with `\n` for line ends, so that a record has the same hash on every
/// system.
pub(super) fn whole(mut input: TextInput, what: &str) -> Result<String, RecordFlaw> {
    let mut bytes = Vec::new();
    let chunk =
        input.rest(MAX_BYTES, &mut bytes).map_err(|error| RecordFlaw::unreadable(1, &error))?;
    if chunk == Chunk::TooLong {
        return Err(RecordFlaw::too_large(1, what, MAX_BYTES));
    }
    Ok(input::text(&bytes, 1)?.replace("\r\n", "\n"))
}

/// The name of a file as a title.
pub(super) fn file_title(path: &Path) -> String {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    stem.replace(['_', '-'], " ").trim().chars().take(MAX_TITLE_CHARS).collect()
}
