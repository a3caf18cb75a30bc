//! Reads records by id, in the order asked, and names the ids that no record has.

mod excerpt;

use std::collections::HashSet;

use aileron_capability::{CapabilityFault, Context, ToolResult, success};
use aileron_contract::kb::{FetchedRecords, GetRequest, MissingRecord, Namespace, Record};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use self::excerpt::{Excerpt, json_chars};

/// The most ids that are suggested for one that is missing.
const MOST_CLOSEST: usize = 3;

#[derive(Deserialize)]
pub struct Args {
    ids: Vec<String>,
    max_chars: usize,
    offset: usize,
}

/// Characters of JSON that an answer may have: `maxResultChars` of `schema.json`. A longer answer
/// would be truncated, and `next_offset` would be wrong.
const MOST_CHARS: usize = 24_000;

/// Reserved characters for missing ids and JSON syntax.
const RESERVE: usize = 2_000;

/// Minimum text of each record.
const LEAST_TEXT: usize = 500;

/// Runs one call.
pub async fn execute(args: Args, context: Context) -> ToolResult {
    context.require_active_session("read records")?;
    let mut seen = HashSet::new();
    let ids = args.ids.into_iter().filter(|id| seen.insert(id.clone())).collect();
    let fetched = get(ids, &context).await;
    let FetchedRecords { records, mut missing } =
        fetched.map_err(|fault| fault.while_reading("read the knowledge base"))?;
    missing.iter_mut().for_each(|MissingRecord { closest, .. }| closest.truncate(MOST_CLOSEST));
    let excerpts = excerpts(&records, args.offset, args.max_chars);
    let results: Vec<_> =
        records.iter().zip(excerpts).map(|(record, excerpt)| Shown::of(record, excerpt)).collect();
    success(json!({ "results": results, "missing": missing }))
}

async fn get(ids: Vec<String>, context: &Context) -> Result<FetchedRecords, CapabilityFault> {
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
    #[serde(skip_serializing_if = "is_zero")]
    offset: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_offset: Option<usize>,
    total_chars: usize,
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
    fn of(record: &'a Record, excerpt: Excerpt<'a>) -> Self {
        let Excerpt { text, offset, next_offset, total_chars } = excerpt;
        Self {
            id: &record.id,
            kind: &record.kind,
            title: &record.title,
            text,
            truncated: next_offset.is_some(),
            offset,
            next_offset,
            total_chars,
            namespace: record.namespace,
            tags: &record.tags,
            source_type: &record.source_type,
            last_updated: &record.last_updated,
            url: record.url.as_deref(),
            metadata: &record.metadata,
        }
    }
}

fn is_zero(number: &usize) -> bool {
    *number == 0
}

/// The texts of the records from an offset on. Long ones share the size limit of the answer, so
/// that no record is lost.
fn excerpts(records: &[Record], offset: usize, max_chars: usize) -> Vec<Excerpt<'_>> {
    let others: usize = records
        .iter()
        .map(|record| json_chars(&json!(Shown::of(record, Excerpt::of(record, 0, 0, 0)))))
        .sum();
    let room = MOST_CHARS.saturating_sub(RESERVE + others);
    let wanted: Vec<usize> = records
        .iter()
        .map(|record| json_chars(&json!(Excerpt::of(record, offset, max_chars, MOST_CHARS).text)))
        .collect();
    let each = excerpt::fair_share(&wanted, room).max(LEAST_TEXT);
    records.iter().map(|record| Excerpt::of(record, offset, max_chars, each)).collect()
}
