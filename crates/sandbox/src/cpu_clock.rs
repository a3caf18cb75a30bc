//! Processor time: how much a thread or a process has had, and who comes first.

#[cfg(target_os = "linux")]
use std::path::Path;
use std::time::{Duration, Instant};

/// A thread or a process whose time is asked for now and then.
#[derive(Debug)]
pub(super) struct CpuClock {
    #[cfg(target_os = "linux")]
    of: CpuSource,
    since: Instant,
}

#[cfg(target_os = "linux")]
#[derive(Debug)]
enum CpuSource {
    /// The file that says it.
    Thread(String),
    /// The folder of its threads.
    Process(String),
}

impl CpuClock {
    /// The calling thread.
    pub(super) fn of_this_thread() -> Self {
        Self {
            #[cfg(target_os = "linux")]
            of: CpuSource::Thread(format!(
                "/proc/self/task/{}/schedstat",
                rustix::thread::gettid().as_raw_nonzero()
            )),
            since: Instant::now(),
        }
    }

    /// All threads of a process that runs.
    #[cfg_attr(not(target_os = "linux"), expect(unused_variables, reason = "only Linux tells"))]
    pub(super) fn of_process(id: u32) -> Self {
        Self {
            #[cfg(target_os = "linux")]
            of: CpuSource::Process(format!("/proc/{id}/task")),
            since: Instant::now(),
        }
    }

    /// The time it has run. Where the system does not say, all time counts.
    pub(super) fn time(&self) -> Duration {
        self.measured().unwrap_or_else(|| self.since.elapsed())
    }

    #[cfg(target_os = "linux")]
    fn measured(&self) -> Option<Duration> {
        match &self.of {
            CpuSource::Thread(schedstat) => run_time(schedstat.as_ref()),
            CpuSource::Process(threads) => {
                let threads = std::fs::read_dir(threads).ok()?.flatten();
                // A thread that has ended meanwhile does not run any more.
                Some(threads.filter_map(|thread| run_time(&thread.path().join("schedstat"))).sum())
            }
        }
    }

    #[cfg(not(target_os = "linux"))]
    fn measured(&self) -> Option<Duration> {
        None
    }
}

#[cfg(target_os = "linux")]
fn run_time(schedstat: &Path) -> Option<Duration> {
    let text = std::fs::read_to_string(schedstat).ok()?;
    let nanos = text.split(' ').next()?.parse().ok()?;
    Some(Duration::from_nanos(nanos))
}

/// How much less the calling thread matters than others, as `nice` counts.
#[cfg(target_os = "linux")]
const MODESTY: i32 = 10;

/// Lets other threads go first, where the system has priorities for threads.
pub(super) fn lower_priority() {
    #[cfg(target_os = "linux")]
    let _ = rustix::process::setpriority_process(Some(rustix::thread::gettid()), MODESTY);
}
