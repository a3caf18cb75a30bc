//! The vectors of one shard: a row for each passage, in the order of the passages.
//!
//! Rows are kept rotated (`rotation`). A search estimates every allowed row from four bits a column (`kernel`), keeps
//! the rows whose bounds reach the best (`candidates`), and ranks those by all
//! twelve bits that the file has. `format` says where a row's bytes are.

mod candidates;
mod format;
mod kernel;
mod query;
mod rotation;
mod row;
mod writer;

use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;
use tantivy::directory::OwnedBytes;

use crate::bitmap::Bitmap;
use candidates::Candidates;
use format::{BLOCK, Layout};
use query::Query;
pub(crate) use writer::VectorWriter;

/// From how many allowed rows a search is worth more than one thread.
const PARALLEL_ROWS: u32 = 200_000;

/// One search at a time is spread over the cores: when several run concurrently, each
/// has a thread already, and waiting for the others' parts would only delay it.
static SPREADING: AtomicBool = AtomicBool::new(false);

/// A file of vectors, open for search.
#[derive(Debug)]
pub(crate) struct Vectors {
    bytes: OwnedBytes,
    layout: Layout,
}

/// A row and its cosine with the query.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Neighbor {
    pub(crate) row: u32,
    pub(crate) similarity: f32,
}

impl Vectors {
    /// Fails when the bytes are not those that a [`VectorWriter`] wrote for `rows` rows of `dim`.
    /// Reads the header alone.
    pub(crate) fn open(bytes: OwnedBytes, rows: u32, dim: usize) -> Result<Self, String> {
        let layout = Layout::read(&bytes)?;
        if (layout.rows(), layout.dim()) != (rows, dim) {
            let (found_rows, found_dim) = (layout.rows(), layout.dim());
            return Err(format!(
                "expected {rows} vectors of {dim} columns, found {found_rows} of {found_dim}: rebuild the index"
            ));
        }
        Ok(Self { bytes, layout })
    }

    /// The rows of `allowed` most like the query, best first; ties go by row.
    ///
    /// The query has unit length or is zero; columns that it lacks count as zero.
    pub(crate) fn nearest(&self, query: &[f32], allowed: &Bitmap, count: usize) -> Vec<Neighbor> {
        let Some(query) = Query::of(query, &self.layout) else {
            let rows = allowed.iter().take_while(|row| *row < self.layout.rows());
            return rows.take(count).map(|row| Neighbor { row, similarity: 0.0 }).collect();
        };
        let words: Vec<u64> = allowed.words().map(|(_, word)| word).collect();
        let mut nearest = self.rank(&query, self.candidates(&query, &words, count), count);
        nearest.sort_unstable_by(best_first);
        nearest.truncate(count);
        nearest
    }

    /// How much one row is like the query.
    pub(crate) fn similarity(&self, row: u32, query: &[f32]) -> f32 {
        let query = query::rotated(query, &self.layout);
        self.similarity_rotated(row, &query)
    }

    fn similarity_rotated(&self, row: u32, query: &[f32]) -> f32 {
        let (block, place) = self.layout.block_of(&self.bytes, row);
        kernel::similarity(&block.row(place), query)
    }

    /// The rows that may be among the best `count`.
    fn candidates(&self, query: &Query, allowed: &[u64], count: usize) -> Candidates {
        let blocks = self.layout.rows().div_ceil(BLOCK);
        let scan = |mut found: Candidates, block: u32| {
            self.scan(query, allowed, block, &mut found);
            found
        };
        let Some(_guard) = AllCoresPermit::begin(allowed) else {
            return (0..blocks).fold(Candidates::new(count), scan);
        };
        (0..blocks)
            .into_par_iter()
            .with_min_len(8)
            .fold(|| Candidates::new(count), scan)
            .reduce(|| Candidates::new(count), Candidates::merge)
    }

    /// Estimates the allowed rows of a block.
    fn scan(&self, query: &Query, allowed: &[u64], block: u32, found: &mut Candidates) {
        let view = self.layout.block(&self.bytes, block);
        let first = block * BLOCK;
        let mut found = |place, estimate| found.push(first + place, estimate);
        let mut batch = kernel::RowBatch::new(query, &view);
        let words = allowed.iter().skip(first as usize / 64);
        for (start, word) in (0..view.rows()).step_by(64).zip(words) {
            batch.push(start, word & last_bits(view.rows() - start), &mut found);
        }
        batch.flush(&mut found);
    }

    /// Ranks the likeliest exactly, then those of the rest that may still be better.
    fn rank(&self, query: &Query, candidates: Candidates, count: usize) -> Vec<Neighbor> {
        let near = |row| Neighbor { row, similarity: self.similarity_rotated(row, query.exact()) };
        let (likely, rest) = candidates.split();
        let mut nearest: Vec<Neighbor> = likely.iter().map(|found| near(found.row)).collect();
        let full = nearest.len() >= count;
        let worst = nearest.iter().map(|near| near.similarity).fold(f32::INFINITY, f32::min);
        let may_enter = |upper: f32| !full || upper >= worst;
        nearest.extend(rest.iter().filter(|c| may_enter(c.upper)).map(|c| near(c.row)));
        nearest
    }
}

/// The bits of the rows that a block still has.
fn last_bits(rows: u32) -> u64 {
    1u64.checked_shl(rows).map_or(u64::MAX, |bit| bit - 1)
}

fn best_first(a: &Neighbor, b: &Neighbor) -> std::cmp::Ordering {
    b.similarity.total_cmp(&a.similarity).then(a.row.cmp(&b.row))
}

/// The right to use every core for one search.
struct AllCoresPermit;

impl AllCoresPermit {
    fn begin(allowed: &[u64]) -> Option<Self> {
        let rows: u32 = allowed.iter().map(|word| word.count_ones()).sum();
        let pays = rows >= PARALLEL_ROWS && rayon::current_num_threads() > 1;
        (pays && !SPREADING.swap(true, Ordering::Acquire)).then_some(Self)
    }
}

impl Drop for AllCoresPermit {
    fn drop(&mut self) {
        SPREADING.store(false, Ordering::Release);
    }
}

#[cfg(test)]
#[path = "vectors_tests.rs"]
mod tests;
