//! Which core a process runs on.

/// Each has one of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Core {
    Crowd,
    Subject,
}

/// Keeps this thread, and whatever it starts from here on, on a core.
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
