//! A Markdown file is one record: front matter for its fields, the rest for its text.
//!
//! Line ends become `\n`, so that a record has the same hash on every system. A title that is
//! left out is the first heading of the first level, which then does not open the text again;
//! without any, the file's name with spaces for dashes.

use std::path::Path;

use serde_json::{Map, Value};

use super::input::{self, Chunk, TextInput};
use super::{Entry, RecordDraft, RecordFlaw, front_matter, plain};
use crate::passage;
use crate::record::{MAX_TEXT_BYTES, MAX_TITLE_CHARS};

/// Room for a text, front matter, and a carriage return in every line.
const MAX_BYTES: usize = 2 * MAX_TEXT_BYTES + front_matter::MAX_BYTES;

pub(super) fn draft(mut input: TextInput, path: &Path) -> Entry {
    let mut bytes = Vec::new();
    let chunk =
        input.rest(MAX_BYTES, &mut bytes).map_err(|error| RecordFlaw::unreadable(1, &error))?;
    if chunk == Chunk::TooLong {
        return Err(RecordFlaw::too_large(1, "a Markdown file", MAX_BYTES));
    }
    let text = input::text(&bytes, 1)?.replace("\r\n", "\n");
    let parted = front_matter::part(&text)?;
    let mut fields = front_matter::fields(parted.yaml)?;
    if fields.contains_key("text") {
        return Err(RecordFlaw::at(
            2,
            "expected the text below the front matter, found a field `text`",
        ));
    }
    if fields.is_empty() && parted.body.trim().is_empty() {
        return Err(RecordFlaw::whole("expected a record, found only white space"));
    }
    fill(&mut fields, parted.body, path);
    Ok(RecordDraft { line: 1, fields })
}

/// Adds the text, and the title if there is none.
fn fill(fields: &mut Map<String, Value>, body: &str, path: &Path) {
    let mut text = body.trim_end();
    // Only blank lines are cut off: the space before the first word may make it code.
    while let Some((first, rest)) = text.split_once('\n')
        && first.trim().is_empty()
    {
        text = rest;
    }
    if fields.get("title").is_none_or(Value::is_null) {
        let (title, rest) = titled(text, path);
        fields.insert("title".to_owned(), Value::String(title));
        text = rest;
    }
    fields.insert("text".to_owned(), text.into());
}

/// The title in a text, and the text without it.
fn titled<'a>(text: &'a str, path: &Path) -> (String, &'a str) {
    let top = passage::headings(text).find(|heading| heading.level == 1);
    match top.map(|heading| (passage::plain(&heading), heading)) {
        Some((title, heading)) if !title.is_empty() && title.chars().count() <= MAX_TITLE_CHARS => {
            let is_first = text.get(..heading.start).unwrap_or_default().trim().is_empty();
            let rest = if is_first { text.get(heading.end..).unwrap_or_default() } else { text };
            (title, rest.trim_start_matches('\n'))
        }
        _ => (plain::file_title(path), text),
    }
}
