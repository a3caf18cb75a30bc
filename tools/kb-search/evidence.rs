//! A hit as evidence: its content and its citation.

use aileron_contract::kb::{Hit, PassageRange, Record};
use serde::Serialize;
use serde_json::{Map, Value};

use super::args::Field;

#[derive(Serialize)]
pub(super) struct Evidence<'a> {
    id: &'a str,
    #[serde(rename = "type")]
    kind: &'a str,
    title: &'a str,
    score: f64,
    #[serde(flatten)]
    source: Source<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    snippet: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    passage: Option<PassageRange>,
    #[serde(skip_serializing_if = "Option::is_none")]
    full_text: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    metadata: Option<&'a Map<String, Value>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sources: Option<[Source<'a>; 1]>,
}

/// Where a record comes from. The link is the record's, if it has one.
#[derive(Clone, Copy, Serialize)]
struct Source<'a> {
    source_type: &'a str,
    last_updated: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<&'a str>,
}

impl<'a> Evidence<'a> {
    /// The fixed fields of a hit, and the requested fields that it has.
    pub(super) fn of(hit: &'a Hit, fields: &[Field]) -> Self {
        let Hit { record, snippet, score, passage } = hit;
        let has = |field| fields.contains(&field);
        let source = Source::of(record);
        let metadata = Some(&record.metadata).filter(|metadata| !metadata.is_empty());
        Self {
            id: &record.id,
            kind: &record.kind,
            title: &record.title,
            score: *score,
            source: Source { url: source.url.filter(|_| has(Field::Url)), ..source },
            snippet: snippet.as_deref().filter(|_| has(Field::Snippet)),
            passage: *passage,
            full_text: has(Field::FullText).then_some(&record.text),
            metadata: metadata.filter(|_| has(Field::Metadata)),
            sources: has(Field::Sources).then_some([source]),
        }
    }
}

impl<'a> Source<'a> {
    fn of(record: &'a Record) -> Self {
        let Record { source_type, last_updated, url, .. } = record;
        Self { source_type, last_updated, url: url.as_deref() }
    }
}
