//! The audit log of the memory store. A call only appends an entry; the entries are hashed when the
//! log is read or `expire` runs.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard};

use aileron_contract::audit::{ChainBreak, Link};
use aileron_contract::{AuditRecord, Outcome, ToolResponse};

use crate::audit::{AuditFilter, AuditStream, ChainReport, PruneResult, entry, unfinished};
use crate::call::CallStart;
use crate::error::StoreError;
use crate::shared_once::lock;

/// The outcome of a call, before it has a place in the chain.
#[derive(Debug)]
pub(super) struct UnchainedEntry {
    pub(super) call: Arc<CallStart>,
    pub(super) outcome: Outcome,
    pub(super) answer: Option<Arc<ToolResponse>>,
}

#[derive(Debug)]
struct ChainedEntry {
    time: u64,
    body: String,
    link: Link,
}

#[derive(Debug)]
struct Chain {
    base: Link,
    records: VecDeque<ChainedEntry>,
}

impl Chain {
    fn head(&self) -> &Link {
        self.records.back().map_or(&self.base, |record| &record.link)
    }

    fn append(&mut self, UnchainedEntry { call, outcome, answer }: UnchainedEntry) {
        let entry = match answer {
            Some(answer) => entry(&call, outcome, &answer),
            None => unfinished(&call, outcome),
        };
        let (body, link) = self.head().append(&entry);
        self.records.push_back(ChainedEntry { time: call.time, body, link });
    }

    fn drop_oldest(&mut self) {
        if let Some(record) = self.records.pop_front() {
            self.base = record.link;
        }
    }
}

#[derive(Debug)]
pub(super) struct AuditMemory {
    unsealed: Mutex<Vec<UnchainedEntry>>,
    chain: Mutex<Chain>,
    limit: usize,
}

impl AuditMemory {
    pub(super) fn new(limit: usize) -> Self {
        let chain = Mutex::new(Chain { base: Link::genesis(), records: VecDeque::new() });
        Self { unsealed: Mutex::default(), chain, limit }
    }

    pub(super) fn push(&self, record: UnchainedEntry) {
        lock(&self.unsealed).push(record);
    }

    /// The chain, with all entries so far hashed into it.
    fn sealed(&self) -> MutexGuard<'_, Chain> {
        let mut chain = lock(&self.chain);
        let unsealed = std::mem::take(&mut *lock(&self.unsealed));
        unsealed.into_iter().for_each(|record| chain.append(record));
        chain
    }

    /// Drops the oldest records beyond the limit.
    pub(super) fn trim(&self) {
        let mut chain = self.sealed();
        while chain.records.len() > self.limit {
            chain.drop_oldest();
        }
    }

    pub(super) fn prune(&self, before: u64, limit: usize) -> PruneResult {
        let mut chain = self.sealed();
        let old = chain.records.iter().take_while(|record| record.time < before);
        let records = old.take(limit).count();
        (0..records).for_each(|_| chain.drop_oldest());
        PruneResult { records, base: chain.base.clone(), more: records == limit }
    }

    pub(super) fn verify(&self) -> Result<ChainReport, ChainBreak> {
        let chain = self.sealed();
        let mut head = chain.base.clone();
        for record in &chain.records {
            head = head.follow(&record.body, record.link.hash.as_str())?;
        }
        Ok(ChainReport { records: chain.records.len() as u64, base: chain.base.clone(), head })
    }

    pub(super) fn read(audit: Arc<Self>, filter: AuditFilter) -> AuditStream {
        let limit = filter.limit.unwrap_or(usize::MAX);
        let mut next = filter.from;
        let records = std::iter::from_fn(move || {
            let found = audit.first_from(next);
            next = found.as_ref().map_or(next, |(seq, _)| seq + 1);
            found.map(|(_, record)| record)
        });
        let wanted = move |record: &Result<AuditRecord, StoreError>| {
            record.as_ref().map_or(true, |record| filter.matches(&record.entry))
        };
        Box::new(records.filter(wanted).take(limit))
    }

    /// The newest records that match and come before a sequence number, newest first.
    pub(super) fn newest(
        &self,
        filter: &AuditFilter,
        before: u64,
    ) -> Result<Vec<AuditRecord>, StoreError> {
        let chain = self.sealed();
        let earlier = chain.records.iter().rev().filter(|record| record.link.seq < before);
        let records = earlier.map(|found| {
            AuditRecord::from_parts(&found.body, found.link.hash.as_str())
                .map_err(|error| StoreError::Corrupt { why: error.to_string() })
        });
        let matching =
            records.filter(|record| record.as_ref().map_or(true, |one| filter.matches(&one.entry)));
        matching.take(filter.limit.unwrap_or(usize::MAX)).collect()
    }

    /// The record with this sequence number, or the next one that exists.
    fn first_from(&self, seq: u64) -> Option<(u64, Result<AuditRecord, StoreError>)> {
        let chain = self.sealed();
        let index = seq.saturating_sub(chain.base.seq + 1);
        let found = chain.records.get(usize::try_from(index).ok()?)?;
        let record = AuditRecord::from_parts(&found.body, found.link.hash.as_str());
        let record = record.map_err(|error| StoreError::Corrupt { why: error.to_string() });
        Some((found.link.seq, record))
    }
}
