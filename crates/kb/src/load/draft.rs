//! Makes a record of the fields of a file: a field that is left out gets its default, an unknown
//! field becomes metadata, and all faults are reported together.
//!
//! | field | when it is left out |
//! |---|---|
//! | `id` | Markdown, text, HTML: the type and the file's name (`doc:how_to_ship`); elsewhere it is required |
//! | `type` | the part of `id` before the colon, else `doc` |
//! | `title` | Markdown, text, HTML: see there; elsewhere it is required |
//! | `text` | Markdown: the text below the front matter; text, HTML: all; elsewhere it is required, and may be empty |
//! | `namespace` | `studio` |
//! | `tags`, `url`, `metadata` | none |
//! | `source_type` | `markdown`, `text`, `html`, `jsonl`, `json` or `csv` |
//! | `last_updated` | when the file was last written |
//!
//! An id is never derived from a title, because a new title would make another record of it. A
//! field that is unknown but looks like a known one (`titel`, `lastUpdated`) is refused, because it
//! would be lost silently; any other becomes metadata.

use std::str::FromStr;

use aileron_contract::kb::{Namespace, Record};
use serde_json::{Map, Value};

use super::json::kind;
use crate::record::{self, FieldFault, MAX_ID_CHARS, is_date, is_name_char, is_type, quote};

/// The fields that hold one text, or texts alone.
pub(super) const TEXT_FIELDS: [&str; 9] =
    ["id", "type", "title", "text", "namespace", "source_type", "last_updated", "url", "tags"];

/// Defaults that a file gives its records.
#[derive(Debug)]
pub(super) struct Defaults {
    /// The name from which the id is made, if a file is one record.
    pub(super) name: Option<String>,
    pub(super) source_type: &'static str,
    pub(super) last_updated: Option<String>,
}

/// The record of these fields, or everything that is wrong with them.
pub(super) fn record(fields: Map<String, Value>, defaults: &Defaults) -> Result<Record, String> {
    let mut form = RecordFields { fields, faults: Vec::new() };
    let record = form.record(defaults);
    let mut faults = form.faults;
    let more = record::faults(&record).into_iter();
    let is_said = |fault: &FieldFault| faults.iter().any(|said| said.field == fault.field);
    let more: Vec<FieldFault> = more.filter(|fault| !is_said(fault)).collect();
    faults.extend(more);
    if faults.is_empty() {
        return Ok(record);
    }
    Err(faults.iter().map(FieldFault::to_string).collect::<Vec<_>>().join("; "))
}

struct RecordFields {
    fields: Map<String, Value>,
    faults: Vec<FieldFault>,
}

impl RecordFields {
    fn record(&mut self, defaults: &Defaults) -> Record {
        let id = self.text("id");
        let kind = self.text("type").unwrap_or_else(|| kind_of(id.as_deref()));
        let id = id.or_else(|| Some(format!("{kind}:{}", slug(defaults.name.as_deref()?))));
        Record {
            id: self.needed("id", id),
            title: self.required("title"),
            text: self.required("text"),
            namespace: self.namespace(),
            tags: self.tags(),
            source_type: self
                .text("source_type")
                .unwrap_or_else(|| defaults.source_type.to_owned()),
            last_updated: self.last_updated(defaults),
            url: self.text("url"),
            metadata: self.metadata(),
            kind,
        }
    }

    fn fault(&mut self, field: &'static str, reason: impl Into<String>) {
        self.faults.push(FieldFault::new(field, reason));
    }

    /// A field's text. Null is as good as left out.
    fn text(&mut self, field: &'static str) -> Option<String> {
        match self.fields.remove(field)? {
            Value::Null => None,
            Value::String(text) => Some(text),
            other => {
                self.fault(field, format!("expected text, found {}", kind(&other)));
                None
            }
        }
    }

    fn required(&mut self, field: &'static str) -> String {
        let text = self.text(field);
        self.needed(field, text)
    }

    fn needed(&mut self, field: &'static str, text: Option<String>) -> String {
        if text.is_none() && !self.faults.iter().any(|fault| fault.field == field) {
            self.fault(field, "expected this field, found none");
        }
        text.unwrap_or_default()
    }

    fn namespace(&mut self) -> Namespace {
        let name = self.text("namespace").unwrap_or_else(|| Namespace::Studio.to_string());
        Namespace::from_str(&name).unwrap_or_else(|unknown| {
            self.fault("namespace", unknown.to_string());
            Namespace::Studio
        })
    }

    /// Tags without the space around them, each once.
    fn tags(&mut self) -> Vec<String> {
        let list = match self.fields.remove("tags") {
            None | Some(Value::Null) => return Vec::new(),
            Some(Value::Array(list)) => list,
            Some(other) => {
                let found = kind(&other);
                self.fault("tags", format!("expected a list such as [a, b], found {found}"));
                return Vec::new();
            }
        };
        let mut tags: Vec<String> = Vec::new();
        for item in list {
            match item.as_str().map(str::trim) {
                Some(tag) if tags.iter().any(|earlier| earlier == tag) => {}
                // The rules refuse more than a hundred; a list of a million is not compared.
                Some(_) if tags.len() > record::MAX_TAGS => break,
                Some(tag) => tags.push(tag.to_owned()),
                None => {
                    self.fault(
                        "tags",
                        format!("expected a list of texts, found {} in it", kind(&item)),
                    );
                    return Vec::new();
                }
            }
        }
        tags
    }

    /// A bare date is its midnight in UTC; anything else is kept as it is.
    fn last_updated(&mut self, defaults: &Defaults) -> String {
        let written = self.text("last_updated");
        let written = written.map(|text| if is_date(&text) { text + "T00:00:00Z" } else { text });
        let text = written.or_else(|| defaults.last_updated.clone());
        self.needed("last_updated", text)
    }

    /// The metadata and all unknown fields; the known ones are taken before.
    fn metadata(&mut self) -> Map<String, Value> {
        let mut metadata = match self.fields.remove("metadata") {
            None | Some(Value::Null) => Map::new(),
            Some(Value::Object(metadata)) => metadata,
            Some(other) => {
                self.fault("metadata", format!("expected fields, found {}", kind(&other)));
                Map::new()
            }
        };
        for (key, value) in std::mem::take(&mut self.fields) {
            if let Some(known) = near_miss(&key) {
                self.fault(known, unknown(&key, known));
            } else if metadata.contains_key(&key) {
                self.fault(
                    "metadata",
                    format!("expected {key:?} once, found it beside `metadata` too"),
                );
            } else {
                metadata.insert(key, value);
            }
        }
        metadata
    }
}

fn kind_of(id: Option<&str>) -> String {
    let prefix = id.and_then(|id| id.split_once(':')).map(|(prefix, _)| prefix);
    prefix.filter(|prefix| is_type(prefix)).unwrap_or("doc").to_owned()
}

/// The message about a field that looks like a misspelt known one.
pub(super) fn unknown(key: &str, known: &str) -> String {
    let found = quote(key);
    format!(
        "found an unknown field {found}: did you mean `{known}`? if not, put it under `metadata`"
    )
}

/// The known field that an unknown one probably stands for.
pub(super) fn near_miss(key: &str) -> Option<&'static str> {
    if TEXT_FIELDS.contains(&key) || key == "metadata" {
        return None;
    }
    let wanted = fold(key);
    let distance = |field: &'static str| strsim::osa_distance(&wanted, &fold(field));
    let fields = TEXT_FIELDS.into_iter().chain(["metadata"]);
    let near = fields.map(|field| (distance(field), field)).min()?;
    // One slip in a word of four letters, two in a longer one; `uid` is no slip of `id`.
    let tolerance = near.1.len() / 4;
    (near.0 <= tolerance.min(2)).then_some(near.1)
}

/// Case, dashes and underscores do not make two names different.
fn fold(name: &str) -> String {
    name.chars()
        .filter(|c| !matches!(c, '_' | '-' | ' '))
        .flat_map(char::to_lowercase)
        .take(40)
        .collect()
}

/// A name for an id, made of any text: letters and digits in lower case, `_` for all between them.
/// Empty if there are none.
pub fn slug(text: &str) -> String {
    // A type of the greatest length and the colon still fit before it.
    let limit = MAX_ID_CHARS - record::MAX_TYPE_CHARS - 1;
    let lower = text.chars().flat_map(char::to_lowercase);
    let mut slug = String::new();
    for c in lower.map(|c| if is_name_char(c) { c } else { '_' }).take(limit) {
        if c != '_' || !slug.ends_with('_') {
            slug.push(c);
        }
    }
    slug.trim_matches(['_', '.', '-']).to_owned()
}
