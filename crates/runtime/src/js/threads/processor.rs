//! Processor time: how much a thread has had, and who comes first.

use std::time::{Duration, Instant};

/// A thread that was asked once who it is.
#[derive(Debug)]
pub(super) struct Processor {
    #[cfg(target_os = "linux")]
    schedstat: String,
    since: Instant,
}

impl Processor {
    /// The calling thread.
    pub(super) fn of_this_thread() -> Self {
        Self {
            #[cfg(target_os = "linux")]
            schedstat: format!(
                "/proc/self/task/{}/schedstat",
                rustix::thread::gettid().as_raw_nonzero()
            ),
            since: Instant::now(),
        }
    }

    /// The time it has run. Where the system does not say, all time counts.
    pub(super) fn time(&self) -> Duration {
        self.measured().unwrap_or_else(|| self.since.elapsed())
    }

    #[cfg(target_os = "linux")]
    fn measured(&self) -> Option<Duration> {
        let text = std::fs::read_to_string(&self.schedstat).ok()?;
        let nanos = text.split(' ').next()?.parse().ok()?;
        Some(Duration::from_nanos(nanos))
    }

    #[cfg(not(target_os = "linux"))]
    fn measured(&self) -> Option<Duration> {
        None
    }
}

/// How much less the calling thread matters than others, as `nice` counts.
#[cfg(target_os = "linux")]
const MODESTY: i32 = 10;

/// Lets other threads go first, where the system has priorities for threads.
pub(super) fn give_way() {
    #[cfg(target_os = "linux")]
    let _ = rustix::process::setpriority_process(Some(rustix::thread::gettid()), MODESTY);
}
