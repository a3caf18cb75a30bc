//! Unused buffers, kept by each thread. A buffer that was used a moment ago is still in the CPU cache, and
//! an idle connection has none.

use std::cell::RefCell;

/// Maximum number of buffers of a thread.
const MAX_BUFFERS: usize = 4;

/// Maximum size of a buffer that is kept.
const MAX_CAPACITY: usize = 16 << 10;

thread_local! {
    static SPARE: RefCell<Vec<Vec<u8>>> = const { RefCell::new(Vec::new()) };
}

/// An empty buffer, usually with capacity.
pub(super) fn take() -> Vec<u8> {
    SPARE.with_borrow_mut(Vec::pop).unwrap_or_default()
}

/// Empties a buffer, and keeps it for the next use.
pub(super) fn give(mut buffer: Vec<u8>) {
    if (1..=MAX_CAPACITY).contains(&buffer.capacity()) {
        buffer.clear();
        SPARE.with_borrow_mut(|spare| {
            if spare.len() < MAX_BUFFERS {
                spare.push(buffer);
            }
        });
    }
}
