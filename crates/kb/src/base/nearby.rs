//! Ids that look like one that no record has.

use aileron_contract::kb::{Filters, Namespace};
use strsim::normalized_damerau_levenshtein;

use super::index::Index;
use crate::error::KbError;
use crate::records::Reader;
use crate::search::{Detail, Request};

/// How many ids are named.
const NAMED: usize = 3;

/// How many are compared with it, beside it in the alphabet and among those its words find.
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
        min_score: None,
        detail: Detail::Hits,
    };
    let rows = match index.rows(reader, &request) {
        Err(KbError::Query { .. }) => Vec::new(),
        rows => rows?,
    };
    let ids = rows.into_iter().map(|row| reader.id_of(row));
    Ok(ids.collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect())
}
