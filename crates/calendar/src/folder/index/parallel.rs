//! The same work on many things, on as many threads as there are cores.

use std::thread;

/// So few are done at once on the own thread.
const FEW: usize = 64;

/// What the work gives for each, in their order.
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
        // A share whose thread broke off is done again here, where it is seen to break.
        let done = threads.into_iter().map(|(share, thread)| {
            thread.join().unwrap_or_else(|_| share.iter().map(work).collect())
        });
        done.flatten().collect()
    })
}
