//! The rules that every record meets, from any source, and the hash of its content. Reading files
//! is left to `load`, storing records to `records`.

mod fields;

use std::fmt;

use aileron_contract::ContentHash;
use aileron_contract::kb::Record;
use serde_json::{Map, Value};

pub use fields::{
    MAX_ID_CHARS, MAX_METADATA_BYTES, MAX_SOURCE_TYPE_CHARS, MAX_TAG_CHARS, MAX_TAGS,
    MAX_TEXT_BYTES, MAX_TITLE_CHARS, MAX_TYPE_CHARS, MAX_URL_BYTES,
};
pub(crate) use fields::{is_date, is_name_char, is_type, quote};

/// One thing that is wrong with one field of a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldFault {
    /// The field as it is written in files.
    pub field: &'static str,
    /// The expected form and the value found.
    pub reason: String,
}

impl FieldFault {
    pub(crate) fn new(field: &'static str, reason: impl Into<String>) -> Self {
        Self { field, reason: reason.into() }
    }
}

impl fmt::Display for FieldFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`: {}", self.field, self.reason)
    }
}

/// All faults of a record, in the order of its fields; none for a good one.
pub fn faults(record: &Record) -> Vec<FieldFault> {
    let checks = [
        ("id", fields::id(&record.id, &record.kind)),
        ("type", fields::kind(&record.kind)),
        ("title", fields::title(&record.title)),
        ("text", fields::text(&record.text)),
        ("tags", fields::tags(&record.tags)),
        ("source_type", fields::source_type(&record.source_type)),
        ("last_updated", fields::last_updated(&record.last_updated)),
        ("url", record.url.as_deref().map_or(Ok(()), fields::url)),
        ("metadata", fields::metadata(&record.metadata)),
    ];
    let found = checks.into_iter().filter_map(|(field, check)| Some((field, check.err()?)));
    found.map(|(field, reason)| FieldFault { field, reason }).collect()
}

/// The SHA-256 of everything a record holds. The order of fields and of metadata keys does not
/// matter; the order of tags does.
pub fn content_hash(record: &Record) -> ContentHash {
    let text = |text: &str| Value::String(text.to_owned());
    let mut fields = Map::from_iter([
        ("id".to_owned(), text(&record.id)),
        ("type".to_owned(), text(&record.kind)),
        ("title".to_owned(), text(&record.title)),
        ("text".to_owned(), text(&record.text)),
        ("namespace".to_owned(), text(record.namespace.as_str())),
        ("tags".to_owned(), record.tags.iter().map(|tag| text(tag)).collect()),
        ("source_type".to_owned(), text(&record.source_type)),
        ("last_updated".to_owned(), text(&record.last_updated)),
        ("metadata".to_owned(), Value::Object(record.metadata.clone())),
    ]);
    fields.extend(record.url.as_deref().map(|url| ("url".to_owned(), text(url))));
    ContentHash::of_value(&Value::Object(fields))
}

#[cfg(test)]
#[path = "record_tests.rs"]
pub(crate) mod tests;
