//! Records and hits as handlers see them: arrays, whose items have the names of the
//! contract and the same names in camel case, because existing handlers use those.

use serde::Serialize;

use crate::kb::{FetchedRecords, Hit, Record, SearchResult};

/// An item with each name in both spellings.
#[derive(Serialize)]
pub(super) struct BothSpellings<T> {
    #[serde(flatten)]
    item: T,
    #[serde(rename = "sourceType")]
    source_type: String,
    #[serde(rename = "lastUpdated")]
    last_updated: String,
}

impl<T> BothSpellings<T> {
    fn new(item: T, record: impl Fn(&T) -> &Record) -> Self {
        let Record { source_type, last_updated, .. } = record(&item);
        let (source_type, last_updated) = (source_type.clone(), last_updated.clone());
        Self { item, source_type, last_updated }
    }
}

/// The result of a search.
pub(super) fn hits(found: SearchResult) -> Vec<BothSpellings<Hit>> {
    found.hits.into_iter().map(|hit| BothSpellings::new(hit, |hit| &hit.record)).collect()
}

/// The result of reading records. Unknown ids are left out.
pub(super) fn records(fetched: FetchedRecords) -> Vec<BothSpellings<Record>> {
    fetched.records.into_iter().map(|record| BothSpellings::new(record, |record| record)).collect()
}
