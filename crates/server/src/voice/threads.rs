//! Threads that only relay audio. A session stays on one of them with both of its sockets, so that a frame
//! crosses no thread and waits for no other work of the server.

use std::io;
use std::num::NonZero;
use std::sync::{Arc, OnceLock};
use std::thread;

use tokio::runtime::{Builder, Handle};
use tokio::sync::oneshot;

/// How many sessions share a thread before another one is used: if all speak, they take a third of a core. A
/// thread that is awake takes the next frame at a lower cost than one that has to be woken.
const SHARED: usize = 500;

/// One thread for each core, started when the first session begins.
#[derive(Debug, Default)]
pub(crate) struct Threads(OnceLock<Vec<Thread>>);

#[derive(Debug)]
struct Thread {
    handle: Handle,
    /// Cloned by each session, so that its count is the number of sessions.
    place: Arc<()>,
    /// The thread ends when this is dropped.
    _stop: oneshot::Sender<()>,
}

impl Threads {
    /// Runs a session on the first thread that has room for it, or else on the one with the fewest sessions. If
    /// the system provides no thread, it runs on the current runtime.
    pub(crate) fn spawn(&self, session: impl Future<Output = ()> + Send + 'static) {
        let threads = self.0.get_or_init(start);
        let has_room = |thread: &&Thread| thread.sessions() < SHARED;
        let fewest = || threads.iter().min_by_key(|thread| thread.sessions());
        match threads.iter().find(has_room).or_else(fewest) {
            Some(thread) => thread.spawn(session),
            None => drop(tokio::spawn(session)),
        }
    }

    /// The number of tasks on all threads.
    pub(crate) fn tasks(&self) -> usize {
        let threads = self.0.get().into_iter().flatten();
        threads.map(|thread| thread.handle.metrics().num_alive_tasks()).sum()
    }
}

fn start() -> Vec<Thread> {
    let count = thread::available_parallelism().map_or(1, NonZero::get);
    let started = (0..count).map(Thread::start);
    let refused = |error: &io::Error| tracing::warn!(%error, "A thread for audio was refused.");
    started.filter_map(|thread| thread.inspect_err(refused).ok()).collect()
}

impl Thread {
    fn start(number: usize) -> io::Result<Self> {
        let runtime = Builder::new_current_thread().enable_all().build()?;
        let handle = runtime.handle().clone();
        let (stop, stopped) = oneshot::channel();
        let named = thread::Builder::new().name(format!("voice-{number}"));
        named.spawn(move || {
            // No value is ever sent; dropping the sender is the signal.
            let _: Result<(), _> = runtime.block_on(stopped);
        })?;
        Ok(Self { handle, place: Arc::new(()), _stop: stop })
    }

    fn sessions(&self) -> usize {
        Arc::strong_count(&self.place) - 1
    }

    fn spawn(&self, session: impl Future<Output = ()> + Send + 'static) {
        let place = self.place.clone();
        self.handle.spawn(async move {
            session.await;
            drop(place);
        });
    }
}

#[cfg(test)]
#[path = "threads_tests.rs"]
mod tests;
