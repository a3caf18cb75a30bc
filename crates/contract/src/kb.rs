//! Records of the knowledge base, queries and hits.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The audience of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Namespace {
    Studio,
    Personal,
    Public,
}

impl Namespace {
    pub const ALL: [Self; 3] = [Self::Studio, Self::Personal, Self::Public];

    /// The name in records, settings and calls.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Studio => "studio",
            Self::Personal => "personal",
            Self::Public => "public",
        }
    }
}

impl fmt::Display for Namespace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Namespace {
    type Err = UnknownNamespace;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let known = Self::ALL.into_iter().find(|namespace| namespace.as_str() == name);
        known.ok_or_else(|| UnknownNamespace(name.to_owned()))
    }
}

/// A namespace that does not exist.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownNamespace(pub String);

impl fmt::Display for UnknownNamespace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected a namespace (studio, personal or public), found {:?}", self.0)
    }
}

impl std::error::Error for UnknownNamespace {}

/// One record.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Record {
    pub id: String,
    #[serde(rename = "type")]
    pub kind: String,
    pub title: String,
    pub text: String,
    pub namespace: Namespace,
    #[serde(default)]
    pub tags: Vec<String>,
    pub source_type: String,
    /// RFC 3339.
    pub last_updated: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub metadata: Map<String, Value>,
}

/// A search query.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SearchRequest {
    pub query: String,
    pub namespace: Namespace,
    #[serde(default)]
    pub filters: Filters,
    pub top_k: usize,
    #[serde(default)]
    pub return_fields: Vec<String>,
    #[serde(default)]
    pub include_snippets: bool,
    /// Hits with a lower score are left out. None: all hits are returned, unless the best reach
    /// neither the minimum score nor the minimum cosine of the engine; then none is returned.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min_score: Option<f64>,
}

/// Conditions that a record must meet before it is ranked.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Filters {
    #[serde(default, rename = "type")]
    pub kind: Option<String>,
    /// A record needs all of them.
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
    /// The namespaces to read. A record elsewhere counts as missing, and its id is never suggested.
    /// Set by the access check, never by the caller.
    #[serde(skip, default = "everywhere")]
    pub namespaces: Vec<Namespace>,
}

impl GetRequest {
    /// These records, in any namespace.
    pub fn new(ids: Vec<String>) -> Self {
        Self { ids, namespaces: everywhere() }
    }
}

fn everywhere() -> Vec<Namespace> {
    Namespace::ALL.to_vec()
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
    /// The part of the text that was found; none if the text is searched as a whole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub passage: Option<PassageRange>,
}

/// A part of a record's text, in characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct PassageRange {
    pub offset: usize,
    pub length: usize,
    /// How many characters the whole text has.
    pub total: usize,
}

/// The records found, best first, and what they were ranked by.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SearchResult {
    pub hits: Vec<Hit>,
    pub ranking: Ranking,
    /// How the search deviated from the request, and why it may have found nothing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<SearchNote>,
}

/// A deviation from the request that the caller should know about. `Display` is the sentence for a
/// model or a person.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "code", rename_all = "snake_case")]
pub enum SearchNote {
    /// A quoted phrase occurs in no readable record; its words were searched instead.
    PhraseNotFound { phrase: String },
    /// Each quoted phrase occurs, but no passage has all of them; their words were searched.
    PhrasesApart,
    /// Only the beginning of the query was searched.
    QueryCut { characters: usize, words: usize },
    /// No readable record has the type; `known` are types that exist.
    UnknownType { kind: String, known: Vec<String> },
    /// All hits are too weak: below the score that the caller or the engine requires, and below the
    /// cosine that the engine requires.
    BelowMinScore { best: f64, min_score: f64 },
}

impl fmt::Display for SearchNote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::PhraseNotFound { phrase } => write!(
                f,
                "The phrase \"{phrase}\" does not occur; the results are for its single words."
            ),
            Self::PhrasesApart => f.write_str(
                "No passage has all quoted phrases; the results are for their single words.",
            ),
            Self::QueryCut { characters, words } => write!(
                f,
                "The query is too long: only its first {characters} characters and {words} \
                 different words were searched."
            ),
            Self::UnknownType { kind, known } if known.is_empty() => {
                write!(f, "No record here has the type \"{kind}\"; there are no records here.")
            }
            Self::UnknownType { kind, known } => write!(
                f,
                "No record here has the type \"{kind}\". Types that exist: {}.",
                known.join(", ")
            ),
            Self::BelowMinScore { best, min_score } => write!(
                f,
                "Nothing relevant was found: the best score is {best:.2}, below min_score \
                 {min_score:.2}. A lower min_score shows such weak matches."
            ),
        }
    }
}

/// How a search ranked its hits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Ranking {
    /// Words and meaning.
    Hybrid,
    /// Words alone: there is no embedding model.
    Words,
}

/// The records read, in the requested order, and the ids that no record has.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct FetchedRecords {
    pub records: Vec<Record>,
    pub missing: Vec<MissingRecord>,
}

/// An id that no record has, and those that look most like it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MissingRecord {
    pub id: String,
    pub closest: Vec<String>,
}
