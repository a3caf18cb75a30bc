//! The knowledge base: records from files, an index on disk, hybrid search. It knows no tools,
//! conversations or permissions.
//!
//! - `load` reads Markdown, text, HTML, JSON, JSON lines and CSV as records that follow the rules
//!   of `record`, one at a time, and reports the position and reason of everything else. `passage`
//!   splits long texts at headings and sentences.
//! - `records` is the source of truth, in SQLite. Each version of a record has its own row, whose
//!   number is never reused. The list of shards is in the same file, so that one transaction
//!   changes records and index together.
//! - A `shard` is an immutable folder: words (tantivy, one segment), vectors and token statistics
//!   of some passages of one namespace, with common numbers. A list of dead rows beside it marks
//!   changed and removed passages. An index in another format version is rebuilt from the records.
//! - `change` writes: put, remove, then commit, which makes all of it visible at once. Passages are
//!   embedded while the previous batch is indexed; `change/compact` decides which shards are
//!   merged. `ingest` drives it from files.
//! - `base` reads: every answer sees one commit, the next one sees commits of other processes, and
//!   a damaged index is rebuilt.
//! - `search` filters first, then takes candidates by words and by meaning, computes exact scores
//!   in `fuse`, and returns one hit per record. A score does not depend on the distribution of
//!   records over shards, and only on the searched namespaces.
//! - `vectors` scans quantised rows and computes exact similarities; `embed` has the embedding
//!   engines, with a `cache`.

mod base;
mod bitmap;
mod cache;
mod change;
pub mod embed;
mod error;
mod fuse;
pub mod ingest;
pub mod load;
mod passage;
mod query;
pub mod record;
mod records;
mod search;
mod shard;
mod shards;
mod snippet;
mod vectors;
mod words;

pub use self::base::{KindCount, KnowledgeBase, Stats};
pub use self::change::{Change, IndexStart, PutOutcome};
pub use self::error::KbError;
pub use self::fuse::Exactness;
pub use self::search::{
    Detail, Expansion, Explanation, RankedHit, Results, SearchQuery, TermShare, WordShare,
};
pub use self::snippet::Snippet;
