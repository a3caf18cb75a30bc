//! Threads that do nothing but relay audio. A session stays on one of them with both of its sockets,
//! so that a frame crosses no thread and waits for no other work of the server. A thread of many
//! sessions rests a moment before it looks for more, and takes what came meanwhile in one go.

use std::io;
use std::num::NonZero;
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::Duration;

use tokio::runtime::{Builder, Handle};
use tokio::sync::oneshot;

/// How long a thread rests for each of its sessions. Where many share few cores, frames that are taken
/// together wait less for one another than frames that are each woken for.
const REST: Duration = Duration::from_micros(2);

/// The rest that a frame is not worth waiting for.
const SHORTEST_REST: Duration = Duration::from_micros(50);

/// What a frame may wait on each side without anybody hearing it.
const LONGEST_REST: Duration = Duration::from_micros(500);

/// One thread for each core, started when the first session begins.
#[derive(Debug, Default)]
pub(crate) struct Threads(OnceLock<Vec<Thread>>);

#[derive(Debug)]
struct Thread {
    handle: Handle,
    /// Held once more by each session.
    sessions: Arc<()>,
    /// The thread ends when this is dropped.
    _stop: oneshot::Sender<()>,
}

impl Threads {
    /// Runs a session on the thread that has the fewest. Where the machine gives no thread, it runs
    /// among everything else.
    pub(crate) fn spawn(&self, session: impl Future<Output = ()> + Send + 'static) {
        let threads = self.0.get_or_init(start);
        match threads.iter().min_by_key(|thread| Arc::strong_count(&thread.sessions)) {
            Some(thread) => thread.spawn(session),
            None => drop(tokio::spawn(session)),
        }
    }

    /// How many tasks there are on all threads.
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
        let sessions = Arc::new(());
        let resting = sessions.clone();
        let runtime = Builder::new_current_thread()
            .enable_all()
            .on_thread_park(move || rest(Arc::strong_count(&resting)))
            .build()?;
        let handle = runtime.handle().clone();
        let (stop, stopped) = oneshot::channel();
        let named = thread::Builder::new().name(format!("voice-{number}"));
        named.spawn(move || {
            // It is never sent; that it is dropped is the sign.
            let _: Result<(), _> = runtime.block_on(stopped);
        })?;
        Ok(Self { handle, sessions, _stop: stop })
    }

    fn spawn(&self, session: impl Future<Output = ()> + Send + 'static) {
        let place = self.sessions.clone();
        self.handle.spawn(async move {
            session.await;
            drop(place);
        });
    }
}

#[expect(clippy::disallowed_methods, reason = "the thread has nothing to do, and is to do nothing")]
fn rest(sessions: usize) {
    let rest = rest_of(sessions);
    if !rest.is_zero() {
        thread::sleep(rest);
    }
}

/// None where there are few sessions: a frame is then passed on the moment it comes.
fn rest_of(sessions: usize) -> Duration {
    let rest = REST.saturating_mul(u32::try_from(sessions).unwrap_or(u32::MAX)).min(LONGEST_REST);
    if rest < SHORTEST_REST { Duration::ZERO } else { rest }
}

#[cfg(test)]
#[path = "threads_tests.rs"]
mod tests;
