//! Random numbers that are the same on every machine: SplitMix64.

/// A pseudo-random sequence that depends on a seed.
#[derive(Debug, Clone)]
pub(crate) struct Chance(u64);

impl Chance {
    /// The sequence of one item of many.
    pub(crate) fn of(seed: u64, item: u64) -> Self {
        let mut chance = Self(seed ^ item.wrapping_mul(0xD134_2543_DE82_EF95));
        chance.number();
        chance
    }

    fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A number below `end`, which is at least 1.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        (self.number() % end.max(1) as u64) as usize
    }

    /// A number from `start` to `last`.
    pub(crate) fn between(&mut self, start: usize, last: usize) -> usize {
        start + self.below(last + 1 - start)
    }

    /// One of them.
    pub(crate) fn pick<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[self.below(all.len())]
    }

    /// An index below `end` with a Zipf distribution, like the frequency of words.
    pub(crate) fn zipf(&mut self, end: usize) -> usize {
        let share = self.number() as f64 / u64::MAX as f64;
        ((end as f64).powf(share) as usize).clamp(1, end) - 1
    }
}
