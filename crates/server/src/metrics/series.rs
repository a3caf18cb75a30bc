//! Time series of the last hour, in bounded space: 720 steps of 5 seconds. Recording an event costs nothing here:
//! each step is the difference between the counters at its end and at its beginning.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use aileron_orchestrator::PolicyName;

use super::calls::CallMetrics;
use super::figure::percentiles_of_counts;
use super::tool_counts::{ToolCounts, grown};

/// The length of a step.
pub(super) const STEP_MS: u64 = 5_000;

/// How many steps are kept: one hour.
pub(super) const KEPT: usize = 720;

/// The counters of a server at one moment. They only grow.
#[derive(Debug, Clone, Default)]
pub(super) struct Totals {
    pub(super) calls: CallCounts<u64>,
    pub(super) refusals: [u64; PolicyName::COUNT],
    pub(super) durations: Vec<u64>,
    pub(super) tools: Vec<(usize, ToolCounts<u64>)>,
    pub(super) provider_errors: u64,
    pub(super) reconnects: u64,
    pub(super) tokens_in: u64,
    pub(super) tokens_out: u64,
}

/// Calls by outcome.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct CallCounts<T> {
    pub(super) completed: T,
    pub(super) failed: T,
    pub(super) refused: T,
    pub(super) denied: T,
    pub(super) cancelled: T,
    pub(super) timed_out: T,
}

/// Values that rise and fall, at the end of a step.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Gauges {
    pub(super) text: usize,
    pub(super) voice: usize,
    pub(super) open_confirmations: usize,
    pub(super) calls_in_flight: usize,
    pub(super) memory_bytes: Option<u64>,
}

/// One step.
#[derive(Debug, Clone, Default)]
pub(super) struct SeriesStep {
    pub(super) calls: CallCounts<u32>,
    pub(super) refusals: [u32; PolicyName::COUNT],
    /// The percentiles 50, 95 and 99 of the calls that ended, in milliseconds.
    pub(super) latency: [Option<u64>; 3],
    /// The tools that were called, by their place.
    pub(super) tools: Box<[(u16, ToolCounts<u32>)]>,
    pub(super) provider_errors: u32,
    pub(super) reconnects: u32,
    pub(super) tokens_in: u32,
    pub(super) tokens_out: u32,
    pub(super) gauges: Gauges,
}

/// The steps of the last hour.
#[derive(Debug, Default)]
pub(super) struct SeriesRecorder(Mutex<SeriesSteps>);

#[derive(Debug, Default)]
pub(super) struct SeriesSteps {
    /// The end of the newest step, in milliseconds since the Unix epoch; a multiple of [`STEP_MS`].
    end: u64,
    /// The oldest first.
    steps: VecDeque<SeriesStep>,
    before: Totals,
}

impl SeriesRecorder {
    /// The first step begins.
    pub(super) fn begin(&self, now: u64) {
        self.lock().end = now - now % STEP_MS;
    }

    /// Ends the current step. If several have passed since the last call, the counts belong to the last one.
    pub(super) fn end_step(&self, now: u64, totals: Totals, gauges: Gauges) {
        let end = now - now % STEP_MS;
        let mut steps = self.lock();
        if end < steps.end {
            // The clock was set back: the times of the old steps mean nothing any more.
            *steps = SeriesSteps { end, before: totals, ..SeriesSteps::default() };
            return;
        }
        let passed = usize::try_from((end - steps.end) / STEP_MS).unwrap_or(KEPT).min(KEPT);
        if passed == 0 {
            return;
        }
        let step = totals.since(&steps.before, gauges);
        for _ in 1..passed {
            steps.push(SeriesStep { gauges, ..SeriesStep::default() });
        }
        steps.push(step);
        (steps.end, steps.before) = (end, totals);
    }

    /// Reads the newest steps, at most so many: the time at which they begin, and the steps, the oldest first.
    pub(super) fn read<T>(
        &self,
        most: usize,
        read: impl FnOnce(u64, &mut dyn ExactSizeIterator<Item = &SeriesStep>) -> T,
    ) -> T {
        let steps = self.lock();
        let count = most.min(steps.steps.len());
        let from = steps.end - count as u64 * STEP_MS;
        read(from, &mut steps.steps.range(steps.steps.len() - count..))
    }

    fn lock(&self) -> MutexGuard<'_, SeriesSteps> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl SeriesSteps {
    fn push(&mut self, step: SeriesStep) {
        if self.steps.len() == KEPT {
            self.steps.pop_front();
        }
        self.steps.push_back(step);
    }
}

impl Totals {
    /// The counters of all calls.
    pub(super) fn of_calls(calls: &CallMetrics) -> Self {
        let tools: Vec<_> = calls.tools.places().map(|(at, tool)| (at, tool.counts())).collect();
        let mut refusals = [0; PolicyName::COUNT];
        let counted = calls.refusals().map(|(_, count)| count);
        refusals.iter_mut().zip(counted).for_each(|(total, count)| *total = count);
        let succeeded = tools.iter().map(|(_, tool)| tool.succeeded).sum();
        let ran = calls.with_outcome(&["completed", "aborted"]);
        Self {
            calls: CallCounts {
                completed: succeeded,
                failed: ran.saturating_sub(succeeded),
                refused: calls.with_outcome(&["refused"]),
                denied: calls.with_outcome(&["denied"]),
                cancelled: calls.with_outcome(&["cancelled"]),
                timed_out: calls.with_outcome(&["timed_out"]),
            },
            refusals,
            durations: calls.duration_ms.fine_counts(),
            tools,
            ..Self::default()
        }
    }

    /// The step between an earlier moment and this one.
    fn since(&self, before: &Self, gauges: Gauges) -> SeriesStep {
        let earlier = |at: usize| before.durations.get(at).copied().unwrap_or_default();
        let durations = self.durations.iter().enumerate();
        let durations: Vec<u64> =
            durations.map(|(at, count)| count.saturating_sub(earlier(at))).collect();
        let refusals = std::array::from_fn(|at| grown(self.refusals[at], before.refusals[at]));
        SeriesStep {
            calls: self.calls.since(&before.calls),
            refusals,
            latency: percentiles_of_counts(&durations, [50, 95, 99]),
            tools: self.tools_since(before),
            provider_errors: grown(self.provider_errors, before.provider_errors),
            reconnects: grown(self.reconnects, before.reconnects),
            tokens_in: grown(self.tokens_in, before.tokens_in),
            tokens_out: grown(self.tokens_out, before.tokens_out),
            gauges,
        }
    }

    fn tools_since(&self, before: &Self) -> Box<[(u16, ToolCounts<u32>)]> {
        // Both lists are sorted by place, and no place becomes free.
        let mut earlier = before.tools.iter().peekable();
        let changes = self.tools.iter().map(|(at, tool)| {
            let earlier = earlier.next_if(|(place, _)| place == at).map(|(_, tool)| *tool);
            (*at as u16, tool.since(&earlier.unwrap_or_default()))
        });
        changes.filter(|(_, counts)| counts.calls > 0 || counts.over_budget > 0).collect()
    }
}

impl CallCounts<u64> {
    fn since(&self, before: &Self) -> CallCounts<u32> {
        CallCounts {
            completed: grown(self.completed, before.completed),
            failed: grown(self.failed, before.failed),
            refused: grown(self.refused, before.refused),
            denied: grown(self.denied, before.denied),
            cancelled: grown(self.cancelled, before.cancelled),
            timed_out: grown(self.timed_out, before.timed_out),
        }
    }
}

#[cfg(test)]
#[path = "series_tests.rs"]
mod tests;
