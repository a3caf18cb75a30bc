//! CPU time of threads and processes, and thread priority.

#[cfg(target_os = "linux")]
use std::path::Path;
use std::time::{Duration, Instant};

/// A thread or a process whose CPU time is measured.
#[derive(Debug)]
pub(super) struct CpuClock {
    #[cfg(target_os = "linux")]
    of: CpuSource,
    since: Instant,
}

#[cfg(target_os = "linux")]
#[derive(Debug)]
enum CpuSource {
    /// The file of the thread's CPU time.
    Thread(String),
    /// The folder with the files of the process's threads.
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

    /// The CPU time used; the wall time where the system does not report it.
    pub(super) fn time(&self) -> Duration {
        self.measured().unwrap_or_else(|| self.since.elapsed())
    }

    #[cfg(target_os = "linux")]
    fn measured(&self) -> Option<Duration> {
        match &self.of {
            CpuSource::Thread(schedstat) => run_time(schedstat.as_ref()),
            CpuSource::Process(threads) => {
                let threads = std::fs::read_dir(threads).ok()?.flatten();
                // A thread that has ended uses no more time.
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

/// The `nice` value of a background thread.
#[cfg(target_os = "linux")]
const MODESTY: i32 = 10;

/// Lowers the priority of the calling thread, where the system has thread priorities.
pub(super) fn lower_priority() {
    #[cfg(target_os = "linux")]
    let _ = rustix::process::setpriority_process(Some(rustix::thread::gettid()), MODESTY);
}
