//! The rows that may be among the best, given bounds of their likeness.
//!
//! The rows that are kept depend on the rows alone, not on their order or their threads:
//! the best lower bounds are never dropped, so the last floor is the same in the end.

use super::query::Estimate;

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct RowCandidate {
    pub(super) row: u32,
    pub(super) upper: f32,
    lower: f32,
}

#[derive(Debug)]
pub(super) struct Candidates {
    count: usize,
    /// At least `count` rows are this like the query.
    floor: f32,
    found: Vec<RowCandidate>,
    /// How many to hold before the floor is raised.
    room: usize,
}

impl Candidates {
    pub(super) fn new(count: usize) -> Self {
        Self { count, floor: f32::NEG_INFINITY, found: Vec::new(), room: Self::room(count) }
    }

    fn room(kept: usize) -> usize {
        kept.saturating_mul(2).saturating_add(256)
    }

    #[inline]
    pub(super) fn push(&mut self, row: u32, Estimate { lower, upper }: Estimate) {
        if upper >= self.floor {
            self.keep(RowCandidate { row, upper, lower });
        }
    }

    #[cold]
    fn keep(&mut self, candidate: RowCandidate) {
        self.found.push(candidate);
        if self.found.len() > self.room {
            self.raise();
        }
    }

    pub(super) fn merge(mut self, other: Self) -> Self {
        self.floor = self.floor.max(other.floor);
        self.found.extend(other.found);
        self.raise();
        self
    }

    /// Drops the rows that at least `count` others are better than.
    fn raise(&mut self) {
        if let Some(last) = self.count.checked_sub(1).filter(|last| *last < self.found.len()) {
            let by_lower = |a: &RowCandidate, b: &RowCandidate| b.lower.total_cmp(&a.lower);
            self.found.select_nth_unstable_by(last, by_lower);
            self.floor = self.floor.max(self.found[last].lower);
            self.found.retain(|candidate| candidate.upper >= self.floor);
        }
        self.room = Self::room(self.found.len().max(self.count));
    }

    /// The likeliest `count`, and the others.
    pub(super) fn split(mut self) -> (Vec<RowCandidate>, Vec<RowCandidate>) {
        self.raise();
        let likeness = |candidate: &RowCandidate| candidate.lower + candidate.upper;
        if self.count < self.found.len() {
            self.found.select_nth_unstable_by(self.count, |a, b| {
                likeness(b).total_cmp(&likeness(a)).then(a.row.cmp(&b.row))
            });
        }
        let rest = self.found.split_off(self.count.min(self.found.len()));
        (self.found, rest)
    }
}

#[cfg(test)]
#[path = "candidates_tests.rs"]
mod tests;
