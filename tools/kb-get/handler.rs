//! Reads records by id, in the order asked, and names the ids that no record has.

use std::collections::HashSet;

use aileron_contract::kb::{Fetched, GetRequest, Missing, Namespace, Record};
use aileron_runtime::{Context, Fault, ToolResult, success};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

/// The most ids that are suggested for one that is missing.
const MOST_CLOSEST: usize = 3;

#[derive(Deserialize)]
pub struct Args {
    ids: Vec<String>,
    max_chars: usize,
}

/// Runs one call.
pub async fn execute(args: Args, context: Context) -> ToolResult {
    context.require_active_session("read records")?;
    let mut seen = HashSet::new();
    let ids = args.ids.into_iter().filter(|id| seen.insert(id.clone())).collect();
    let fetched = get(ids, &context).await;
    let Fetched { records, mut missing } =
        fetched.map_err(|fault| fault.while_reading("read the knowledge base"))?;
    missing.iter_mut().for_each(|Missing { closest, .. }| closest.truncate(MOST_CLOSEST));
    let results: Vec<_> = records.iter().map(|record| Shown::of(record, args.max_chars)).collect();
    success(json!({ "results": results, "missing": missing }))
}

async fn get(ids: Vec<String>, context: &Context) -> Result<Fetched, Fault> {
    context.kb()?.get(context.caller(), GetRequest::new(ids)).await
}

/// A record as it is shown.
#[derive(Serialize)]
struct Shown<'a> {
    id: &'a str,
    #[serde(rename = "type")]
    kind: &'a str,
    title: &'a str,
    text: &'a str,
    truncated: bool,
    namespace: Namespace,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    tags: &'a [String],
    source_type: &'a str,
    last_updated: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<&'a str>,
    #[serde(skip_serializing_if = "Map::is_empty")]
    metadata: &'a Map<String, Value>,
}

impl<'a> Shown<'a> {
    fn of(record: &'a Record, max_chars: usize) -> Self {
        let text = beginning(&record.text, max_chars);
        Self {
            id: &record.id,
            kind: &record.kind,
            title: &record.title,
            text,
            truncated: text.len() < record.text.len(),
            namespace: record.namespace,
            tags: &record.tags,
            source_type: &record.source_type,
            last_updated: &record.last_updated,
            url: record.url.as_deref(),
            metadata: &record.metadata,
        }
    }
}

/// So many characters of a text, which are not bytes.
fn beginning(text: &str, chars: usize) -> &str {
    let end = text.char_indices().nth(chars).map_or(text.len(), |(end, _)| end);
    text.get(..end).unwrap_or(text)
}
