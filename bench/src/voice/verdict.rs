//! The verdict on a soak: every call answered once, and memory that does not keep growing.

use std::fmt;

/// By how much the memory of the last third of a run may be above that of the middle third, in
/// percent. The first third is for one-time growth: pools, caches, and conversations that wait to
/// be unloaded.
const TOLERANCE: f64 = 5.0;

/// The minimum number of memory samples in a third.
const FEWEST: usize = 3;

/// The measurements of a run.
#[derive(Debug, Default)]
pub(super) struct Verdict {
    /// Resident memory in KB, at even intervals.
    pub(super) resident: Vec<u64>,
    pub(super) calls: u64,
    /// Calls that were never answered.
    pub(super) unanswered: Vec<String>,
    /// Calls that were answered more than once.
    pub(super) twice: Vec<String>,
}

/// The memory of two thirds of a run, in KB.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Growth {
    middle: f64,
    last: f64,
}

impl Growth {
    /// `None` if there are too few samples.
    fn of(resident: &[u64]) -> Option<Self> {
        let third = resident.len() / 3;
        if third < FEWEST {
            return None;
        }
        let (before, last) = resident.split_at(resident.len() - third);
        let (_, middle) = before.split_at(before.len() - third);
        Some(Self { middle: mean(middle), last: mean(last) })
    }

    fn percent(self) -> f64 {
        (self.last / self.middle - 1.0) * 100.0
    }
}

fn mean(numbers: &[u64]) -> f64 {
    numbers.iter().sum::<u64>() as f64 / numbers.len() as f64
}

impl fmt::Display for Growth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { middle, last } = self;
        let percent = self.percent();
        write!(
            f,
            "{middle:.0} KB resident in the middle third, {last:.0} KB in the last: {percent:+.1} %"
        )
    }
}

impl Verdict {
    /// The report, as an error if the run failed.
    pub(super) fn pronounce(&self) -> Result<String, String> {
        let faults: Vec<_> = [
            some(&self.unanswered, "not answered"),
            some(&self.twice, "answered more than once"),
            self.grown(),
        ]
        .into_iter()
        .flatten()
        .collect();
        if faults.is_empty() { Ok(self.praise()) } else { Err(faults.join("; ")) }
    }

    fn grown(&self) -> Option<String> {
        let growth = Growth::of(&self.resident)?;
        let grown = growth.percent() > TOLERANCE;
        grown.then(|| format!("memory grows: {growth}, where {TOLERANCE} are allowed"))
    }

    fn praise(&self) -> String {
        let memory = match Growth::of(&self.resident) {
            Some(growth) => format!("{growth} (allowed: {TOLERANCE})"),
            None => "too short a run to say anything of memory".to_owned(),
        };
        format!("{} calls, each answered once; {memory}.", self.calls)
    }
}

/// The number of such calls, with one of them as an example.
fn some(calls: &[String], fared: &str) -> Option<String> {
    let first = calls.first()?;
    Some(format!("{} calls were {fared}, such as {first}", calls.len()))
}

#[cfg(test)]
#[path = "verdict_tests.rs"]
mod tests;
