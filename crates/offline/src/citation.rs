//! Citations: how an answer names its source records, and how citations are parsed.

use super::evidence::Evidence;
use super::extract;

/// The opening of a citation; the id of the record follows.
pub const CITATION_START: &str = "[record:";

/// The end of a citation.
pub const CITATION_END: &str = "]";

/// The quotation marks around a title; spoken answers cite by it.
pub(super) const TITLE_MARKS: [char; 2] = ['“', '”'];

/// The citation of a record.
pub(super) fn cite(id: &str) -> String {
    format!("{CITATION_START}{id}{CITATION_END}")
}

/// The ids of the records that an answer cites.
pub(super) fn cited(said: &str) -> impl Iterator<Item = &str> {
    let behind = said.split(CITATION_START).skip(1);
    behind.filter_map(|rest| rest.split_once(CITATION_END).map(|(id, _)| id))
}

/// A title in the marks that cite by it.
pub(super) fn quoted(title: &str) -> String {
    let [open, close] = TITLE_MARKS;
    format!("{open}{title}{close}")
}

/// A text in which ids of records are replaced by their titles. An id in brackets after its own
/// title is removed.
pub(super) fn with_titles(text: &str, records: &[Evidence]) -> String {
    let mut ids = extract::record_ids(text);
    ids.sort_by_key(|id| std::cmp::Reverse(id.len()));
    ids.iter().fold(text.to_owned(), |text, id| {
        let known = records.iter().find(|record| record.id == *id);
        let text = text.replace(&format!(" ({id})"), "");
        text.replace(id, &known.map_or_else(|| spelt(id), |record| record.title.clone()))
    })
}

/// The words of an id as a title.
pub(super) fn spelt(id: &str) -> String {
    let name = id.split_once(':').map_or(id, |(_, name)| name);
    let words = name.split(['_', '-']).filter(|word| !word.is_empty()).map(|word| {
        let mut letters = word.chars();
        let first = letters.next().map(|first| first.to_uppercase().to_string());
        first.unwrap_or_default() + letters.as_str()
    });
    words.collect::<Vec<_>>().join(" ")
}
