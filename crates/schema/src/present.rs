//! Which of the properties known beforehand an object has.

/// Of the first properties it knows; of those beyond it has to ask.
#[derive(Debug, Default)]
pub(crate) struct PresentProperties(u64);

impl PresentProperties {
    #[inline]
    pub(crate) fn insert(&mut self, place: usize) {
        self.0 |= Self::bit(place);
    }

    /// Whether the property at a place is absent; `is_there` is asked where that is not known.
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
