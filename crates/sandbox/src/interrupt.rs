//! Time limits of running code, and its heartbeat.
//!
//! The engine polls the limits every few thousand operations. Each poll updates a heartbeat, so
//! that a watchdog can tell code that is about to stop from a built-in that never polls.

use aileron_capability::foreign::HandlerFault;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use rustix::time::{ClockId, clock_gettime};

/// Why code must stop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum StopReason {
    Deadline = 1,
    Cpu = 2,
    Cancelled = 3,
}

impl StopReason {
    fn of(code: u8) -> Option<Self> {
        [Self::Deadline, Self::Cpu, Self::Cancelled].into_iter().find(|stop| *stop as u8 == code)
    }
}

impl From<StopReason> for HandlerFault {
    fn from(stop: StopReason) -> Self {
        match stop {
            StopReason::Deadline => Self::Deadline,
            StopReason::Cpu => Self::CpuDeadline,
            StopReason::Cancelled => Self::Cancelled,
        }
    }
}

/// The limits in time of one piece of work: a call, or the preparation of a sandbox.
#[derive(Debug)]
pub(crate) struct TimeLimits {
    deadline: u64,
    cpu: u64,
    stop: AtomicU8,
    /// When the code last polled or began to run.
    beat: AtomicU64,
    /// Processor time of the slices that ended.
    used: AtomicU64,
    /// The thread's processor time when the slice began.
    began: AtomicU64,
}

impl TimeLimits {
    pub(crate) fn new(deadline: Instant, cpu: Duration) -> Self {
        Self {
            deadline: nanos(deadline.saturating_duration_since(base())),
            cpu: nanos(cpu),
            stop: AtomicU8::new(0),
            beat: AtomicU64::new(now()),
            used: AtomicU64::new(0),
            began: AtomicU64::new(0),
        }
    }

    /// The calling thread begins to run the code.
    pub(crate) fn enter(&self) {
        self.beat.store(now(), Ordering::Release);
        self.began.store(thread_cpu(), Ordering::Release);
    }

    /// The calling thread, which called `enter`, no longer runs the code.
    pub(crate) fn leave(&self) {
        let slice = thread_cpu().saturating_sub(self.began.load(Ordering::Acquire));
        self.used.fetch_add(slice, Ordering::AcqRel);
    }

    /// Whether the code must stop; called by the thread that runs it.
    pub(crate) fn poll(&self) -> bool {
        let now = now();
        self.beat.store(now, Ordering::Release);
        if now >= self.deadline {
            self.close(StopReason::Deadline);
        }
        let slice = thread_cpu().saturating_sub(self.began.load(Ordering::Acquire));
        if self.used.load(Ordering::Acquire).saturating_add(slice) >= self.cpu {
            self.close(StopReason::Cpu);
        }
        self.stopped().is_some()
    }

    /// Like `poll` without the processor time, which costs a system call.
    pub(crate) fn poll_wall_clock(&self) -> bool {
        if self.is_past_deadline() {
            self.close(StopReason::Deadline);
        }
        self.stopped().is_some()
    }

    /// Stops the code. The first reason is kept.
    pub(crate) fn close(&self, why: StopReason) {
        let _ = self.stop.compare_exchange(0, why as u8, Ordering::AcqRel, Ordering::Acquire);
    }

    /// Why the code must stop, if it must.
    pub(crate) fn stopped(&self) -> Option<StopReason> {
        StopReason::of(self.stop.load(Ordering::Acquire))
    }

    pub(crate) fn is_past_deadline(&self) -> bool {
        now() >= self.deadline
    }

    /// A value that changes with every poll.
    pub(crate) fn heartbeat(&self) -> u64 {
        self.beat.load(Ordering::Acquire)
    }

    /// Whether the code is over a limit, assuming that it ran all the time since its last poll.
    pub(crate) fn is_over(&self) -> bool {
        let spent = self.used.load(Ordering::Acquire).saturating_add(nanos(self.silence()));
        self.stopped().is_some() || self.is_past_deadline() || spent >= self.cpu
    }

    /// The time since the last poll.
    pub(crate) fn silence(&self) -> Duration {
        Duration::from_nanos(now().saturating_sub(self.heartbeat()))
    }
}

fn base() -> Instant {
    static BASE: OnceLock<Instant> = OnceLock::new();
    *BASE.get_or_init(Instant::now)
}

fn now() -> u64 {
    nanos(base().elapsed())
}

fn nanos(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
}

/// CPU time of the calling thread, so that waiting for a busy machine does not count.
fn thread_cpu() -> u64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    let part = |number: i64| u64::try_from(number).unwrap_or_default();
    part(time.tv_sec).saturating_mul(1_000_000_000).saturating_add(part(time.tv_nsec))
}

#[cfg(test)]
#[path = "interrupt_tests.rs"]
mod tests;
