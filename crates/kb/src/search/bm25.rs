//! The BM25 score of given passages: each term's postings are sought, in the order of the
//! passages.

use tantivy::fieldnorm::FieldNormReader;
use tantivy::postings::{Postings, SegmentPostings};
use tantivy::query::Bm25Weight;
use tantivy::schema::IndexRecordOption;
use tantivy::{DocSet, TERMINATED};

use super::terms::Terms;
use crate::shard::Shard;

/// The postings of one term, and its weight.
pub(super) struct Cursor<'a> {
    word: usize,
    postings: SegmentPostings,
    weight: Bm25Weight,
    lengths: &'a FieldNormReader,
    /// No passage gets more for the term.
    pub(super) most: f32,
}

/// The terms that a shard has.
pub(super) fn cursors<'a>(shard: &'a Shard, terms: &Terms) -> tantivy::Result<Vec<Cursor<'a>>> {
    let mut cursors = Vec::new();
    for (word, term) in terms.terms() {
        let index = shard.postings(term.analysis);
        let found = index.read_postings(&term.term(shard), IndexRecordOption::WithFreqs)?;
        cursors.extend(found.map(|postings| {
            let (weight, lengths) = (terms.weight(word, term), shard.lengths(term.analysis));
            Cursor { word, postings, most: weight.max_score(), weight, lengths }
        }));
    }
    Ok(cursors)
}

impl Cursor<'_> {
    /// In how many passages the term occurs.
    pub(super) fn frequency(&self) -> u64 {
        u64::from(self.postings.doc_freq())
    }

    /// The passage that the cursor is at; none at the end.
    pub(super) fn passage(&self) -> Option<u32> {
        Some(self.postings.doc()).filter(|passage| *passage != TERMINATED)
    }

    pub(super) fn advance(&mut self) {
        self.postings.advance();
    }

    /// Moves to a passage, or to the next that has the term. Never back.
    pub(super) fn seek(&mut self, passage: u32) {
        if self.postings.doc() < passage {
            self.postings.seek(passage);
        }
    }

    /// The score of the term in the passage that the cursor is at.
    pub(super) fn score(&self) -> f32 {
        let length = self.lengths.fieldnorm_id(self.postings.doc());
        self.weight.score(length, self.postings.term_freq())
    }

    /// The score of the term in a passage: 0 if it does not occur there.
    pub(super) fn score_of(&mut self, passage: u32) -> f32 {
        self.seek(passage);
        if self.postings.doc() == passage { self.score() } else { 0.0 }
    }
}

/// Scores passages of one shard, in ascending order, exactly.
pub(super) struct Scorer<'a> {
    terms: &'a Terms,
    cursors: Vec<Cursor<'a>>,
    /// The share of each word of the query in the last score.
    pub(super) shares: Vec<f32>,
}

impl<'a> Scorer<'a> {
    pub(super) fn open(shard: &'a Shard, terms: &'a Terms) -> tantivy::Result<Self> {
        Ok(Self { terms, cursors: cursors(shard, terms)?, shares: vec![0.0; terms.words.len()] })
    }

    /// The score of a passage. Several terms of one word count no more than the word could.
    pub(super) fn score(&mut self, passage: u32) -> f32 {
        self.shares.fill(0.0);
        for cursor in &mut self.cursors {
            self.shares[cursor.word] += cursor.score_of(passage);
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
