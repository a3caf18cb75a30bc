//! System limits of a worker process, in addition to the limits of the sandbox.

use rustix::process::{Resource, Rlimit, setrlimit};
use rustix::time::{ClockId, clock_gettime};

use crate::limits::SandboxLimits;

/// Address space for threads and allocators, in addition to the sandbox.
const OVERHEAD: u64 = 2 << 30;

/// Maximum open files of a worker: the pipe and files of system libraries.
const FILES: u64 = 32;

/// Seconds of processor time beyond the limit of a call before the system ends the process.
const SLACK_SECONDS: u64 = 5;

/// No core files, no files written, few open.
pub(super) fn at_start() {
    set(Resource::Core, 0);
    set(Resource::Fsize, 0);
    set(Resource::Nofile, FILES);
}

/// Address space for one sandbox at work and one prepared.
pub(super) fn for_tool(limits: &SandboxLimits) {
    let memory = u64::try_from(limits.memory_bytes).unwrap_or(u64::MAX);
    set(Resource::As, memory.saturating_mul(3).saturating_add(OVERHEAD));
}

/// Processor time for one more call. Only the soft limit moves, so that it can be moved again.
pub(super) fn for_call(limits: &SandboxLimits) {
    let used = clock_gettime(ClockId::ProcessCPUTime).tv_sec;
    let used = u64::try_from(used).unwrap_or_default();
    let current = Some(used.saturating_add(limits.cpu.as_secs()).saturating_add(SLACK_SECONDS));
    let _ = setrlimit(Resource::Cpu, Rlimit { current, maximum: None });
}

fn set(resource: Resource, value: u64) {
    let _ = setrlimit(resource, Rlimit { current: Some(value), maximum: Some(value) });
}
