//! Which passages of a shard a search may find.

use tantivy::schema::{Field, IndexRecordOption};
use tantivy::{DocSet, TERMINATED, Term};

use super::Shard;
use crate::bitmap::Bitmap;

/// The conditions on a record, checked and ready to be applied.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Filter {
    /// Folded.
    pub(crate) kind: Option<String>,
    /// All of them, folded.
    pub(crate) tags: Vec<String>,
    /// When it was last updated, in microseconds since 1970, both ends included.
    pub(crate) updated: Option<(i64, i64)>,
}

impl Shard {
    /// The passages that meet the filter, without those of dead records.
    pub(crate) fn allowed(&self, filter: &Filter) -> tantivy::Result<Bitmap> {
        let mut allowed = self.alive.clone();
        let kind = filter.kind.iter().map(|kind| (self.fields.kind, kind));
        let tags = filter.tags.iter().map(|tag| (self.fields.tag, tag));
        for (field, value) in kind.chain(tags) {
            if allowed.count() == 0 {
                return Ok(allowed);
            }
            allowed.intersect(&self.having(field, value)?);
        }
        if let Some((from, to)) = filter.updated {
            self.keep_updated(&mut allowed, from, to);
        }
        Ok(allowed)
    }

    /// The passages with a value in a field.
    fn having(&self, field: Field, value: &str) -> tantivy::Result<Bitmap> {
        let mut found = Bitmap::empty(self.passages());
        let term = Term::from_field_text(field, value);
        let index = self.segment().inverted_index(field)?;
        if let Some(mut postings) = index.read_block_postings(&term, IndexRecordOption::Basic)? {
            while !postings.docs().is_empty() {
                postings.docs().iter().for_each(|passage| found.insert(*passage));
                postings.advance();
            }
        }
        Ok(found)
    }

    /// The passages whose title is this, ascending, which `allowed` has: `most` at most.
    pub(crate) fn titled(
        &self,
        title: &str,
        allowed: &Bitmap,
        most: usize,
    ) -> tantivy::Result<Vec<u32>> {
        let term = Term::from_field_text(self.fields.title, title);
        let index = self.segment().inverted_index(self.fields.title)?;
        let mut found = Vec::new();
        let Some(mut postings) = index.read_postings(&term, IndexRecordOption::Basic)? else {
            return Ok(found);
        };
        while postings.doc() != TERMINATED && found.len() < most {
            found.extend(Some(postings.doc()).filter(|passage| allowed.contains(*passage)));
            postings.advance();
        }
        Ok(found)
    }

    /// Few passages are checked one by one, many in one pass.
    fn keep_updated(&self, allowed: &mut Bitmap, from: i64, to: i64) {
        const FEW: u32 = 8;
        let times = &self.updated;
        if from <= times.min_value() && times.max_value() <= to {
            return;
        }
        let mut found = Bitmap::empty(self.passages());
        if allowed.count() < self.passages() / FEW {
            let within = |passage: &u32| (from..=to).contains(&times.values.get_val(*passage));
            allowed.iter().filter(within).for_each(|passage| found.insert(passage));
        } else {
            let mut passages = Vec::new();
            times.get_docids_for_value_range(from..=to, 0..self.passages(), &mut passages);
            passages.into_iter().for_each(|passage| found.insert(passage));
        }
        allowed.intersect(&found);
    }
}

#[cfg(test)]
#[path = "filter_tests.rs"]
mod tests;
