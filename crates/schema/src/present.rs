//! Which of the known properties an object has.

/// A bit set for the first properties; later ones are looked up in the object.
#[derive(Debug, Default)]
pub(crate) struct PresentProperties(u64);

impl PresentProperties {
    #[inline]
    pub(crate) fn insert(&mut self, place: usize) {
        self.0 |= Self::bit(place);
    }

    /// Whether the property at a position is absent; calls `is_there` for positions outside the bit
    /// set.
    #[inline]
    pub(crate) fn lacks(&self, place: usize, is_there: impl FnOnce() -> bool) -> bool {
        match Self::bit(place) {
            0 => !is_there(),
            bit => self.0 & bit == 0,
        }
    }

    fn bit(place: usize) -> u64 {
        u32::try_from(place).ok().and_then(|place| 1_u64.checked_shl(place)).unwrap_or_default()
    }
}
