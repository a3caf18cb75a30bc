//! The query, and the requested fields of each hit.

use aileron_contract::kb::{Filters, Namespace, SearchRequest};
use serde::Deserialize;

#[derive(Deserialize)]
pub struct Args {
    query: String,
    namespace: Namespace,
    #[serde(default)]
    pub(super) filters: Filters,
    top_k: usize,
    #[serde(default)]
    return_fields: Vec<Field>,
    include_snippets: bool,
    /// Absent: the knowledge base decides which scores are off topic.
    #[serde(default)]
    min_score: Option<f64>,
}

/// An optional field of a result.
#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Field {
    Snippet,
    FullText,
    Metadata,
    Sources,
    Url,
}

/// The default fields.
const USUAL: &[Field] = &[Field::Snippet, Field::Metadata, Field::Url];

impl Field {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Snippet => "snippet",
            Self::FullText => "full_text",
            Self::Metadata => "metadata",
            Self::Sources => "sources",
            Self::Url => "url",
        }
    }
}

impl Args {
    /// The fields of each result. A mode limit may have emptied the list, so an empty list means
    /// the default.
    pub(super) fn fields(&self) -> Vec<Field> {
        let named = [&self.return_fields[..], USUAL].into_iter().find(|list| !list.is_empty());
        let unwanted = |field: &Field| *field == Field::Snippet && !self.include_snippets;
        let fields = named.into_iter().flatten().copied();
        fields.filter(|field| !unwanted(field)).collect()
    }

    pub(super) fn request(self, fields: &[Field]) -> SearchRequest {
        SearchRequest {
            query: self.query,
            namespace: self.namespace,
            filters: self.filters,
            top_k: self.top_k,
            return_fields: fields.iter().map(|field| field.as_str().to_owned()).collect(),
            include_snippets: fields.contains(&Field::Snippet),
            min_score: self.min_score,
        }
    }
}
