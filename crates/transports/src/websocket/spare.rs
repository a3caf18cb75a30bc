//! Buffers that nobody uses, kept by each thread for whoever is next. What was used a moment ago is still
//! at hand for the processor, and a connection on which nothing moves has none.

use std::cell::RefCell;

/// How many a thread keeps.
const MOST: usize = 4;

/// The largest that are kept.
const LARGEST: usize = 16 << 10;

thread_local! {
    static SPARE: RefCell<Vec<Vec<u8>>> = const { RefCell::new(Vec::new()) };
}

/// An empty buffer, most often with room in it.
pub(super) fn take() -> Vec<u8> {
    SPARE.with_borrow_mut(Vec::pop).unwrap_or_default()
}

/// Empties a buffer, and leaves it to whoever is next.
pub(super) fn give(mut buffer: Vec<u8>) {
    if (1..=LARGEST).contains(&buffer.capacity()) {
        buffer.clear();
        SPARE.with_borrow_mut(|spare| {
            if spare.len() < MOST {
                spare.push(buffer);
            }
        });
    }
}
