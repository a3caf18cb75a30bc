//! Which core a process runs on.

/// The cores, one for each process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Core {
    Crowd,
    Subject,
}

/// Pins this thread, and all threads and processes that it starts, to a core.
#[cfg(target_os = "linux")]
pub(super) fn stay_on(core: Core) -> Result<(), String> {
    use rustix::thread::{CpuSet, sched_setaffinity};
    let mut only = CpuSet::new();
    only.set(core as usize);
    let stays = sched_setaffinity(None, &only);
    stays.map_err(|error| format!("expected two cores, found none for {core:?}: {error}"))
}

#[cfg(not(target_os = "linux"))]
pub(super) fn stay_on(core: Core) -> Result<(), String> {
    Err(format!("expected Linux, where a core can be kept for {core:?}"))
}
