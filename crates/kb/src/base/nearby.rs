//! Ids that look like one that no record has.

use aileron_contract::kb::{Filters, Namespace};
use strsim::normalized_damerau_levenshtein;

use super::index::Index;
use crate::error::KbError;
use crate::records::Reader;
use crate::search::{Detail, Request};

/// How many ids are named.
const NAMED: usize = 3;

/// How many are looked at, beside the id in the alphabet and among what its words find.
const LOOKED_AT: usize = 20;

/// Less alike than this is of no help.
const ALIKE: f64 = 0.5;

/// The ids in these namespaces most like this one, best first.
pub(super) fn ids(
    reader: &Reader,
    index: &Index,
    id: &str,
    namespaces: &[Namespace],
) -> Result<Vec<String>, KbError> {
    let neighbours =
        namespaces.iter().map(|namespace| reader.neighbours(id, *namespace, LOOKED_AT));
    let mut candidates: Vec<String> = neighbours.collect::<Result<Vec<_>, _>>()?.concat();
    candidates.extend(found_by_words(reader, index, id, namespaces)?);
    let alike = |other: String| (normalized_damerau_levenshtein(id, &other), other);
    let mut scored: Vec<(f64, String)> = candidates.into_iter().map(alike).collect();
    scored.retain(|(alike, _)| *alike >= ALIKE);
    scored.sort_by(|(a, one), (b, other)| b.total_cmp(a).then_with(|| one.cmp(other)));
    scored.dedup();
    Ok(scored.into_iter().map(|(_, id)| id).take(NAMED).collect())
}

fn found_by_words(
    reader: &Reader,
    index: &Index,
    id: &str,
    namespaces: &[Namespace],
) -> Result<Vec<String>, KbError> {
    let text = id.replace([':', '_', '-', '.'], " ");
    let request = Request {
        text: &text,
        namespaces,
        filters: &Filters::default(),
        top_k: LOOKED_AT,
        detail: Detail::Hits,
    };
    match index.search(reader, None, &request) {
        Ok(found) => Ok(found.hits.into_iter().map(|hit| hit.record.id).collect()),
        Err(KbError::Query { .. }) => Ok(Vec::new()),
        Err(error) => Err(error),
    }
}
