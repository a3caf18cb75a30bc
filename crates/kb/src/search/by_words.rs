//! The passages of a shard with the highest scores by words, without scoring all.
//!
//! Passages are scanned in windows. Terms whose weight alone cannot bring a passage among the best
//! are looked up only for passages with a heavier term (MaxScore). With a narrow filter, each
//! passage is checked instead.

use super::bm25::{Cursor, cursors};
use super::terms::Terms;
use super::top_k::TopK;
use crate::bitmap::Bitmap;
use crate::shard::Shard;

/// Passages whose scores are added up together; their sums stay in the cache of a core.
const WINDOW: u32 = 4_096;
/// The cost of a seek, in postings that are read one after the other.
const SEEK: u64 = 4;

/// The best `wanted` of the allowed passages, in no order.
pub(super) fn by_words(
    shard: &Shard,
    allowed: &Bitmap,
    terms: &Terms,
    wanted: usize,
) -> tantivy::Result<Vec<(u32, f32)>> {
    let mut cursors = cursors(shard, terms)?;
    let mut best = TopK::new(wanted);
    let postings: u64 = cursors.iter().map(Cursor::frequency).sum();
    if u64::from(allowed.count()) * cursors.len() as u64 * SEEK < postings {
        for passage in allowed.iter() {
            best.push(passage, cursors.iter_mut().map(|cursor| cursor.score_of(passage)).sum());
        }
    } else {
        cursors.sort_by(|a, b| a.most.total_cmp(&b.most));
        Windows::new(cursors, allowed).search(&mut best);
    }
    Ok(best.into_passages())
}

/// Goes through the passages of a shard.
struct Windows<'a> {
    /// Lightest first.
    cursors: Vec<Cursor<'a>>,
    /// The highest score that the terms up to each can reach together.
    bounds: Vec<f32>,
    allowed: &'a Bitmap,
    sums: Vec<f32>,
    /// A bit for each passage of the window that has a heavy term.
    seen: Vec<u64>,
}

impl<'a> Windows<'a> {
    fn new(cursors: Vec<Cursor<'a>>, allowed: &'a Bitmap) -> Self {
        let bounds = cursors.iter().scan(0.0, |sum, cursor| {
            *sum += cursor.most;
            Some(*sum)
        });
        let (bounds, sums) = (bounds.collect(), vec![0.0; WINDOW as usize]);
        Self { bounds, cursors, allowed, sums, seen: vec![0; WINDOW as usize / 64] }
    }

    fn search(mut self, best: &mut TopK) {
        loop {
            let light = self.bounds.iter().take_while(|bound| **bound <= best.threshold()).count();
            let next = self.cursors[light..].iter().filter_map(Cursor::passage).min();
            let Some(next) = next else { return };
            let start = next - next % WINDOW;
            for cursor in &mut self.cursors[light..] {
                add(cursor, self.allowed, start, &mut self.sums, &mut self.seen);
            }
            self.finish(light, start, best);
        }
    }

    /// Adds the scores of the light terms to those of the heavy ones, and keeps the best.
    fn finish(&mut self, light: usize, start: u32, best: &mut TopK) {
        for (first, bits) in (0u32..).step_by(64).zip(self.seen.iter_mut()) {
            while *bits != 0 {
                let place = first + bits.trailing_zeros();
                *bits &= *bits - 1;
                let mut sum = std::mem::take(&mut self.sums[place as usize]);
                for (cursor, bound) in self.cursors[..light].iter_mut().zip(&self.bounds).rev() {
                    if sum + bound <= best.threshold() {
                        break;
                    }
                    sum += cursor.score_of(start + place);
                }
                best.push(start + place, sum);
            }
        }
    }
}

/// Adds the scores of a term in the passages of a window.
fn add(cursor: &mut Cursor<'_>, allowed: &Bitmap, start: u32, sums: &mut [f32], seen: &mut [u64]) {
    cursor.seek(start);
    while let Some(passage) = cursor.passage().filter(|passage| *passage < start + WINDOW) {
        if allowed.contains(passage) {
            let place = (passage - start) as usize;
            sums[place] += cursor.score();
            seen[place / 64] |= 1 << (place % 64);
        }
        cursor.advance();
    }
}
