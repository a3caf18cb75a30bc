//! A knowledge base of a few records, searched by the words they share with the query. No index, no
//! vectors: the share of matching words is the score.

use std::collections::BTreeSet;

use jiff::Timestamp;
use serde::Deserialize;

use super::{answer, check, snippet, timestamp, words};
use crate::alike;
use crate::kb::{
    DateRange, FetchedRecords, Filters, GetRequest, Hit, MissingRecord, Ranking, Record,
    SearchRequest, SearchResult,
};
use crate::{Answer, Caller, CapabilityFault, Kb};

/// The minimum similarity of an id that is suggested for another. Higher than for words, because
/// ids have common prefixes.
const ALIKE: f64 = 0.8;

/// The contents of the knowledge base.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct KbContents {
    pub records: Vec<Record>,
    /// The fault of every call.
    pub error: Option<CapabilityFault>,
}

/// A knowledge base in memory.
#[derive(Debug, Default)]
pub struct MemoryKb(KbContents);

impl From<KbContents> for MemoryKb {
    fn from(contents: KbContents) -> Self {
        Self(contents)
    }
}

impl Kb for MemoryKb {
    fn search(&self, _caller: &Caller, request: SearchRequest) -> Answer<SearchResult> {
        let hits = self.find(&request);
        answer(hits.map(|hits| SearchResult { hits, ranking: Ranking::Words, notes: Vec::new() }))
    }

    fn get(&self, _caller: &Caller, request: GetRequest) -> Answer<FetchedRecords> {
        answer(self.read(&request))
    }
}

impl MemoryKb {
    fn read(&self, request: &GetRequest) -> Result<FetchedRecords, CapabilityFault> {
        check(self.0.error.as_ref())?;
        let records = self.0.records.iter();
        let visible: Vec<&Record> =
            records.filter(|record| request.namespaces.contains(&record.namespace)).collect();
        let mut fetched = FetchedRecords::default();
        for id in &request.ids {
            match visible.iter().find(|record| record.id == *id) {
                Some(record) => fetched.records.push((*record).clone()),
                None => fetched.missing.push(missing(id, &visible)),
            }
        }
        Ok(fetched)
    }

    fn find(&self, request: &SearchRequest) -> Result<Vec<Hit>, CapabilityFault> {
        check(self.0.error.as_ref())?;
        let wanted: BTreeSet<String> = words::of(&request.query).collect();
        let period = Period::read(&request.filters.date_range)?;
        let records = self.0.records.iter();
        let mut hits: Vec<Hit> = records
            .filter(|record| record.namespace == request.namespace)
            .filter(|record| fits(record, &request.filters) && period.holds(record))
            .filter_map(|record| hit(record, &wanted, request.include_snippets))
            .filter(|hit| hit.score >= request.min_score.unwrap_or(0.0))
            .collect();
        hits.sort_by(|a, b| {
            b.score.total_cmp(&a.score).then_with(|| a.record.id.cmp(&b.record.id))
        });
        hits.truncate(request.top_k);
        Ok(hits)
    }
}

fn missing(id: &str, visible: &[&Record]) -> MissingRecord {
    let closest = alike::closest(id, visible.iter().map(|record| record.id.as_str()), ALIKE);
    MissingRecord { id: id.to_owned(), closest: closest.into_iter().map(str::to_owned).collect() }
}

fn fits(record: &Record, filters: &Filters) -> bool {
    let same = |one: &str, other: &str| one.to_lowercase() == other.to_lowercase();
    let has = |tag: &String| record.tags.iter().any(|own| same(own, tag));
    filters.kind.as_ref().is_none_or(|kind| same(&record.kind, kind))
        && filters.tags.iter().all(has)
}

/// A parsed date range.
struct Period {
    start: Option<Timestamp>,
    end: Option<Timestamp>,
}

impl Period {
    fn read(range: &DateRange) -> Result<Self, CapabilityFault> {
        let read = |text: &Option<String>| text.as_deref().map(timestamp).transpose();
        Ok(Self { start: read(&range.start)?, end: read(&range.end)? })
    }

    /// A record whose date cannot be parsed is in no period.
    fn holds(&self, record: &Record) -> bool {
        if self.start.is_none() && self.end.is_none() {
            return true;
        }
        let updated: Option<Timestamp> = record.last_updated.parse().ok();
        updated.is_some_and(|updated| {
            self.start.is_none_or(|start| start <= updated)
                && self.end.is_none_or(|end| updated <= end)
        })
    }
}

/// The record as a hit, if it has any of the words in its title, its text or its tags.
fn hit(record: &Record, wanted: &BTreeSet<String>, with_snippet: bool) -> Option<Hit> {
    let texts = [&record.title, &record.text].into_iter().chain(&record.tags);
    let own: BTreeSet<String> = texts.flat_map(|text| words::of(text)).collect();
    let found = wanted.intersection(&own).count();
    let snippet = || snippet::around(&record.text, wanted);
    (found > 0).then(|| Hit {
        record: record.clone(),
        snippet: with_snippet.then(snippet),
        score: found as f64 / wanted.len() as f64,
        passage: None,
    })
}

#[cfg(test)]
#[path = "kb_tests.rs"]
mod tests;
