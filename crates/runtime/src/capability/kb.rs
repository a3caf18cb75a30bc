//! The knowledge base as a handler sees it.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{Answer, Caller};

/// Finds and reads records.
pub trait Kb: Send + Sync + fmt::Debug {
    /// The best records for a query, best first.
    fn search(&self, caller: &Caller, request: SearchRequest) -> Answer<Vec<Hit>>;

    /// The records of these ids that there are.
    fn get(&self, caller: &Caller, request: GetRequest) -> Answer<Vec<Record>>;
}

/// What to look for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SearchRequest {
    pub query: String,
    pub namespace: String,
    #[serde(default)]
    pub filters: Filters,
    pub top_k: usize,
    #[serde(default)]
    pub return_fields: Vec<String>,
    #[serde(default)]
    pub include_snippets: bool,
}

/// What a record has to meet before it is ranked.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Filters {
    #[serde(default, rename = "type")]
    pub kind: Option<String>,
    #[serde(default)]
    pub tags: Vec<String>,
    #[serde(default)]
    pub date_range: DateRange,
}

/// Limits on the last update, inclusive, RFC 3339.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DateRange {
    #[serde(default)]
    pub start: Option<String>,
    #[serde(default)]
    pub end: Option<String>,
}

/// Which records to read.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GetRequest {
    pub ids: Vec<String>,
}

/// One record.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Record {
    pub id: String,
    #[serde(rename = "type")]
    pub kind: String,
    pub title: String,
    pub text: String,
    pub namespace: String,
    #[serde(default)]
    pub tags: Vec<String>,
    pub source_type: String,
    pub last_updated: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub metadata: Map<String, Value>,
}

/// A record that was found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Hit {
    #[serde(flatten)]
    pub record: Record,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub snippet: Option<String>,
    /// 0 to 1.
    pub score: f64,
}
