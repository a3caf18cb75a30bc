//! Which answers memory still holds although they are on disk: the newest, up
//! to a number of bytes.

use std::collections::VecDeque;
use std::sync::Arc;

use crate::call::CallStart;
use crate::front::Front;

/// What an entry costs beside the text of its answer, roughly.
const OVERHEAD: usize = 512;

#[derive(Debug)]
pub(super) struct Recent {
    calls: VecDeque<(Arc<CallStart>, usize)>,
    bytes: usize,
    limit: usize,
}

impl Recent {
    pub(super) fn new(limit: usize) -> Self {
        Self { calls: VecDeque::new(), bytes: 0, limit }
    }

    /// A finished call is on disk; the oldest ones make room for it.
    pub(super) fn push(&mut self, front: &Front, call: Arc<CallStart>, answer_bytes: usize) {
        let bytes = answer_bytes + OVERHEAD;
        self.bytes += bytes;
        self.calls.push_back((call, bytes));
        while self.bytes > self.limit {
            let Some((oldest, bytes)) = self.calls.pop_front() else { break };
            self.bytes -= bytes;
            front.leave_to_disk(&oldest);
        }
    }
}
