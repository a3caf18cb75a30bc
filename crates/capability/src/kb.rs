//! The knowledge base as a handler sees it. Its types are in the contract crate; `readers` has the
//! read permissions, and `guard` enforces them.

mod guard;
mod readers;

use std::fmt;

pub use aileron_contract::kb::{
    DateRange, FetchedRecords, Filters, GetRequest, Hit, MissingRecord, Namespace, PassageRange,
    Ranking, Record, SearchNote, SearchRequest, SearchResult,
};

pub use self::guard::GuardedKb;
pub use self::readers::{ReadPermission, Readers, UnknownReader};
use super::{Answer, Caller};

/// Finds and reads records.
pub trait Kb: Send + Sync + fmt::Debug {
    /// The best records for a query, best first.
    fn search(&self, caller: &Caller, request: SearchRequest) -> Answer<SearchResult>;

    /// The records of these ids in the requested order, and the unknown ids.
    fn get(&self, caller: &Caller, request: GetRequest) -> Answer<FetchedRecords>;
}
