//! An HTML file is one record: the words a reader of the page would see.
//!
//! Its title is the page's `<title>`, else its first `<h1>`, else the file's name. Headings become
//! those of Markdown, so that long pages are parted at them.

mod page;

use std::path::Path;

use serde_json::Map;

use super::input::TextInput;
use super::{Entry, RecordDraft, RecordFlaw, plain};
use crate::record::MAX_TITLE_CHARS;

pub(super) fn draft(input: TextInput, path: &Path) -> Entry {
    let html = plain::whole(input, "an HTML file")?;
    let page = page::read(&html);
    if page.text.is_empty() && page.title.is_none() {
        return Err(RecordFlaw::whole("expected a page with words, found none"));
    }
    let title = page.title.map(|title| title.chars().take(MAX_TITLE_CHARS).collect());
    let title: String = title.unwrap_or_else(|| plain::file_title(path));
    let fields = [("title".to_owned(), title.into()), ("text".to_owned(), page.text.into())];
    Ok(RecordDraft { line: 1, fields: Map::from_iter(fields) })
}

#[cfg(test)]
#[path = "html_tests.rs"]
mod tests;
