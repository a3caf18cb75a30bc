//! The bounds of the partial data of one call, in size and rate. Partial data is shown and not part of
//! the result, so a piece beyond the bounds is left out; the index of the next one shows the gap.

use std::sync::{Mutex, PoisonError};

use serde_json::Value;

/// The longest piece, in bytes of its JSON text.
const MAX_PIECE_BYTES: usize = 16 << 10;

/// All pieces of one call together.
const MAX_TOTAL_BYTES: usize = 1 << 20;

/// How many pieces are shown in one second.
const MAX_PER_SECOND: u32 = 50;

/// Counts the pieces of one call.
#[derive(Debug, Default)]
pub(crate) struct PartialBounds(Mutex<PartialCounts>);

#[derive(Debug, Default)]
struct PartialCounts {
    next: u64,
    bytes: usize,
    second: u64,
    in_second: u32,
}

impl PartialBounds {
    /// Counts a piece. Returns its index, from 0 on, if it may be shown.
    pub(crate) fn admit(&self, data: &Value, now: u64) -> Option<u64> {
        let length = data.to_string().len();
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let index = counts.next;
        counts.next += 1;
        let second = now / 1000;
        if counts.second != second {
            (counts.second, counts.in_second) = (second, 0);
        }
        let is_within = length <= MAX_PIECE_BYTES
            && counts.bytes + length <= MAX_TOTAL_BYTES
            && counts.in_second < MAX_PER_SECOND;
        if is_within {
            counts.bytes += length;
            counts.in_second += 1;
        }
        is_within.then_some(index)
    }
}

#[cfg(test)]
#[path = "partial_bounds_tests.rs"]
mod tests;
