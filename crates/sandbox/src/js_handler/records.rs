//! Records and hits as JavaScript handlers see them: arrays, whose items have the names of the
//! contract and, since handlers in the wild read those, the same names in camel case.

use serde::Serialize;

use aileron_capability::kb::{FetchedRecords, Hit, Record, SearchResult};

/// An item with its names twice.
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

/// What a search resolves to.
pub(super) fn hits(found: SearchResult) -> Vec<BothSpellings<Hit>> {
    found.hits.into_iter().map(|hit| BothSpellings::new(hit, |hit| &hit.record)).collect()
}

/// What reading resolves to. Ids that no record has are left out.
pub(super) fn records(fetched: FetchedRecords) -> Vec<BothSpellings<Record>> {
    fetched.records.into_iter().map(|record| BothSpellings::new(record, |record| record)).collect()
}
