//! A set of rows of one shard.

/// One bit for each row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Bitmap {
    words: Vec<u64>,
}

impl Bitmap {
    pub(crate) fn empty(len: u32) -> Self {
        Self { words: vec![0; len.div_ceil(64) as usize] }
    }

    pub(crate) fn full(len: u32) -> Self {
        let mut words = vec![u64::MAX; len.div_ceil(64) as usize];
        if let (Some(last), used @ 1..) = (words.last_mut(), len % 64) {
            *last = (1 << used) - 1;
        }
        Self { words }
    }

    pub(crate) fn insert(&mut self, row: u32) {
        self.words[(row / 64) as usize] |= 1 << (row % 64);
    }

    pub(crate) fn remove(&mut self, row: u32) {
        self.words[(row / 64) as usize] &= !(1 << (row % 64));
    }

    pub(crate) fn contains(&self, row: u32) -> bool {
        self.words[(row / 64) as usize] >> (row % 64) & 1 == 1
    }

    pub(crate) fn count(&self) -> u32 {
        self.words.iter().map(|word| word.count_ones()).sum()
    }

    /// Keeps the rows that are in both sets.
    pub(crate) fn intersect(&mut self, other: &Self) {
        self.words.iter_mut().zip(&other.words).for_each(|(word, other)| *word &= other);
    }

    /// The rows in the set, ascending, 64 at a time: where they begin, and a bit for each.
    pub(crate) fn words(&self) -> impl Iterator<Item = (u32, u64)> {
        (0..).step_by(64).zip(self.words.iter().copied())
    }

    /// The rows in the set, ascending.
    pub(crate) fn iter(&self) -> impl Iterator<Item = u32> {
        self.words().flat_map(|(first, word)| {
            let rest = |left: &u64| Some(left & (left - 1)).filter(|left| *left != 0);
            let first_bit = Some(word).filter(|word| *word != 0);
            std::iter::successors(first_bit, rest).map(move |left| first + left.trailing_zeros())
        })
    }
}

#[cfg(test)]
#[path = "bitmap_tests.rs"]
mod tests;
