//! Spreads texts over the cores. Each core runs the network on a text by itself, which
//! takes less than all cores on one text after the other, and keeps the threads of the
//! network's runtime from competing with each other and with those of the index.

use std::num::NonZero;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use rten::ThreadPool;

/// One thread that the network runs on.
pub(super) type Lane = Arc<ThreadPool>;

/// As many as there are cores.
pub(super) struct Lanes(Vec<Lane>);

impl Lanes {
    pub(super) fn new() -> Self {
        let count = thread::available_parallelism().map_or(1, NonZero::get);
        Self((0..count).map(|_| Arc::new(ThreadPool::with_num_threads(1))).collect())
    }

    /// The result for each item, in order; none if the work on one of them panicked.
    pub(super) fn map<T: Sync, R: Send>(
        &self,
        items: &[T],
        work: impl Fn(&Lane, &T) -> R + Sync,
    ) -> Option<Vec<R>> {
        let next = AtomicUsize::new(0);
        let done = thread::scope(|scope| {
            let run = |lane| drain(lane, items, &next, &work);
            let lanes: Vec<_> =
                self.0.iter().map(|lane| scope.spawn(move || lane.run(|| run(lane)))).collect();
            lanes.into_iter().map(|lane| lane.join().ok()).collect::<Option<Vec<_>>>()
        });
        let mut done: Vec<(usize, R)> = done?.into_iter().flatten().collect();
        done.sort_unstable_by_key(|(place, _)| *place);
        Some(done.into_iter().map(|(_, made)| made).collect())
    }
}

/// Takes items until there are no more.
fn drain<T, R>(
    lane: &Lane,
    items: &[T],
    next: &AtomicUsize,
    work: impl Fn(&Lane, &T) -> R,
) -> Vec<(usize, R)> {
    let places = std::iter::from_fn(|| {
        let place = next.fetch_add(1, Ordering::Relaxed);
        items.get(place).map(|item| (place, item))
    });
    places.map(|(place, item)| (place, work(lane, item))).collect()
}

#[cfg(test)]
#[path = "lanes_tests.rs"]
mod tests;
