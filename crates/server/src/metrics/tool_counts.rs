//! The calls of one tool, as totals and as the calls of some time.

/// The calls of one tool.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct ToolCounts<T> {
    pub(super) calls: T,
    pub(super) succeeded: T,
    pub(super) failed: T,
    pub(super) refused: T,
    pub(super) over_budget: T,
}

/// The growth of a counter.
pub(super) fn grown(now: u64, before: u64) -> u32 {
    u32::try_from(now.saturating_sub(before)).unwrap_or(u32::MAX)
}

impl ToolCounts<u64> {
    /// The calls since an earlier moment.
    pub(super) fn since(&self, before: &Self) -> ToolCounts<u32> {
        ToolCounts {
            calls: grown(self.calls, before.calls),
            succeeded: grown(self.succeeded, before.succeeded),
            failed: grown(self.failed, before.failed),
            refused: grown(self.refused, before.refused),
            over_budget: grown(self.over_budget, before.over_budget),
        }
    }
}

impl ToolCounts<u32> {
    pub(super) fn add(&mut self, more: &Self) {
        self.calls += more.calls;
        self.succeeded += more.succeeded;
        self.failed += more.failed;
        self.refused += more.refused;
        self.over_budget += more.over_budget;
    }
}
