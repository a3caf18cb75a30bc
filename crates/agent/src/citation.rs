//! Citations: the records that support an answer.
//!
//! The rule. Evidence of a turn is every record, an object with an `id` and a `title`, in `data.results` of
//! a retrieval tool that succeeded in that turn, without redacted fields. A record is a source of the
//! answer if the model's text of that turn contains its id as a whole, not as a part of a longer id; an id
//! without a colon, which could be any word, only in square brackets. `[record:<id>]` is a mention too. A
//! text without any id, as in speech, mentions a record by its whole title in quotation marks: “Mira Holt”.
//! Each source is listed once, in the order of first mention. An id or a title that is not evidence of this
//! turn is never a source.

use aileron_contract::ToolResponse;
use aileron_contract::spec::Category;
use aileron_runtime::Tool;
use serde::Serialize;
use serde_json::Value;

/// A record that supports an answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CitationSource {
    pub id: String,
    pub title: String,
    /// The record's link, unchanged.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
}

/// A prefix that may precede an id in brackets.
const MARKER: &str = "[record:";

/// Maximum number of records of one turn.
const MAX_RECORDS: usize = 1000;

/// The evidence of one turn.
#[derive(Debug, Clone, Default)]
pub struct Evidence(Vec<CitationSource>);

impl Evidence {
    /// Adds the records of a result without redacted fields.
    pub fn add(&mut self, tool: &Tool, answer: &ToolResponse) {
        let ToolResponse::Success { data, .. } = answer else { return };
        if tool.spec().category != Category::Retrieval {
            return;
        }
        let records = data.get("results").and_then(Value::as_array).into_iter().flatten();
        for source in records.filter_map(source) {
            self.keep(source);
        }
    }

    /// If two results contain the same record, keeps the one with a link.
    fn keep(&mut self, source: CitationSource) {
        let has_room = self.0.len() < MAX_RECORDS;
        match self.0.iter_mut().find(|known| known.id == source.id) {
            Some(known) if known.url.is_none() => *known = source,
            None if has_room => self.0.push(source),
            Some(_) | None => {}
        }
    }

    /// The records whose ids, or else whose titles, a text mentions, in the order of first mention.
    pub fn cited_in(&self, text: &str) -> Vec<CitationSource> {
        let by_id = self.mentioned(|source| mention(text, &source.id));
        match by_id.is_empty() {
            true => self.mentioned(|source| text.find(&format!("“{}”", source.title))),
            false => by_id,
        }
    }

    fn mentioned(&self, place: impl Fn(&CitationSource) -> Option<usize>) -> Vec<CitationSource> {
        let places = self.0.iter().filter_map(|source| Some((place(source)?, source.clone())));
        let mut found: Vec<_> = places.collect();
        found.sort_by_key(|(at, _)| *at);
        found.into_iter().map(|(_, source)| source).collect()
    }
}

fn source(record: &Value) -> Option<CitationSource> {
    let text = |key: &str| record.get(key).and_then(Value::as_str).map(str::to_owned);
    let id = text("id").filter(|id| !id.is_empty() && !id.contains(char::is_whitespace))?;
    let url = text("url").filter(|url| url.starts_with("https://") || url.starts_with("http://"));
    Some(CitationSource { id, title: text("title")?, url })
}

/// Where an id is first mentioned as a whole.
fn mention(text: &str, id: &str) -> Option<usize> {
    if !id.contains(':') {
        let marked = text.find(&format!("{MARKER}{id}]"));
        return text.find(&format!("[{id}]")).or(marked);
    }
    text.match_indices(id).map(|(at, _)| at).find(|at| stands_alone(text, *at, id.len()))
}

fn stands_alone(text: &str, at: usize, len: usize) -> bool {
    let before = text.get(..at).and_then(|before| before.chars().next_back());
    let mut after = text.get(at + len..).unwrap_or_default().chars();
    let (next, second) = (after.next(), after.next());
    let goes_on = |c: char| c.is_alphanumeric() || c == '_';
    let joins = |c: char| matches!(c, ':' | '-' | '.' | '/');
    let is_marked = text.get(..at).is_some_and(|before| before.ends_with(MARKER));
    let begins_earlier = !is_marked && before.is_some_and(|c| goes_on(c) || joins(c));
    // A full stop ends a sentence, unless the id continues after it.
    let ends_later = next.is_some_and(|c| goes_on(c) || (joins(c) && second.is_some_and(goes_on)));
    !begins_earlier && !ends_later
}

#[cfg(test)]
#[path = "citation_tests.rs"]
mod tests;
