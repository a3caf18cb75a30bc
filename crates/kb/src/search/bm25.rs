//! The exact BM25 score of given passages: each term's postings are sought, in the order
//! of the passages.

use tantivy::postings::{Postings, SegmentPostings};
use tantivy::query::Bm25Weight;
use tantivy::schema::IndexRecordOption;
use tantivy::{DocSet, TERMINATED};

use super::terms::Terms;
use crate::shard::Shard;
use crate::shard::schema::Analysis;

/// Scores passages of one shard in ascending order.
pub(super) struct Scorer<'a> {
    shard: &'a Shard,
    terms: &'a Terms,
    cursors: Vec<Cursor>,
    /// What each word of the query added to the last score.
    pub(super) shares: Vec<f32>,
}

/// Where one term occurs.
struct Cursor {
    word: usize,
    analysis: Analysis,
    postings: SegmentPostings,
    weight: Bm25Weight,
}

impl<'a> Scorer<'a> {
    pub(super) fn open(shard: &'a Shard, terms: &'a Terms) -> tantivy::Result<Self> {
        let mut cursors = Vec::new();
        for (word, term) in terms.terms() {
            let index = shard.postings(term.analysis);
            let found = index.read_postings(&term.term(shard), IndexRecordOption::WithFreqs)?;
            cursors.extend(found.map(|postings| Cursor {
                word,
                analysis: term.analysis,
                postings,
                weight: terms.weight(word, term),
            }));
        }
        Ok(Self { shard, terms, cursors, shares: vec![0.0; terms.words.len()] })
    }

    /// How many passages have a term, counted for each term.
    pub(super) fn postings(&self) -> u64 {
        self.cursors.iter().map(|cursor| u64::from(cursor.postings.doc_freq())).sum()
    }

    pub(super) fn terms(&self) -> u64 {
        self.cursors.len() as u64
    }

    /// The score of a passage. Several terms of one word count no more than the word could.
    pub(super) fn score(&mut self, passage: u32) -> f32 {
        self.shares.fill(0.0);
        for cursor in &mut self.cursors {
            if cursor.seek(passage) {
                let length = self.shard.lengths(cursor.analysis).fieldnorm_id(passage);
                self.shares[cursor.word] +=
                    cursor.weight.score(length, cursor.postings.term_freq());
            }
        }
        let words = self.shares.iter_mut().zip(&self.terms.words);
        words
            .map(|(share, word)| {
                *share = share.min(word.most());
                *share
            })
            .sum()
    }
}

impl Cursor {
    /// Whether the passage has the term.
    fn seek(&mut self, passage: u32) -> bool {
        if self.postings.doc() < passage {
            self.postings.seek(passage);
        }
        self.postings.doc() == passage && passage != TERMINATED
    }
}
