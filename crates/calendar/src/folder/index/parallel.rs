//! Maps items on all cores.

use std::thread;

/// Maximum number of items that are mapped on the calling thread.
const FEW: usize = 64;

/// The results in the order of the items.
pub(super) fn in_parallel<T: Sync, R: Send>(things: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    if things.len() <= FEW || cores == 1 {
        return things.iter().map(work).collect();
    }
    let work = &work;
    let shares = things.chunks(things.len().div_ceil(cores));
    thread::scope(|scope| {
        let threads: Vec<_> = shares
            .map(|share| (share, scope.spawn(move || share.iter().map(work).collect::<Vec<R>>())))
            .collect();
        // A share whose thread panicked is repeated here, so that the panic reaches the caller.
        let done = threads.into_iter().map(|(share, thread)| {
            thread.join().unwrap_or_else(|_| share.iter().map(work).collect())
        });
        done.flatten().collect()
    })
}
