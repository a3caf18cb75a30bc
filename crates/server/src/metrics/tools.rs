//! Figures of each tool, in bounded space: the first 200 tools have their own, all others share one. The names
//! of tools that do not exist never get an entry.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

use aileron_contract::Outcome;

use super::figure::{Buckets, Counter};
use super::recent::RecentValues;
use super::tool_counts::ToolCounts;

/// How many tools have their own figures.
pub(super) const MAX_TOOLS: usize = 200;

/// The label of all other tools and of unknown names.
pub(super) const OTHER: &str = "other";

/// Places of the table, more than twice the entries, so that searches are short.
const PLACES: usize = 512;

/// Upper bounds in milliseconds.
const DURATIONS: [u64; 13] = [1, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000, 30_000];

/// Upper bounds in characters.
const SIZES: [u64; 10] = [100, 250, 500, 1000, 1500, 2500, 5000, 10_000, 50_000, 100_000];

/// Upper bounds in tokens: the same sizes at four characters a token.
const TOKENS: [u64; 10] = [25, 63, 125, 250, 375, 625, 1250, 2500, 12_500, 25_000];

/// A response of more characters is long for a model.
const LONG_CHARS: u64 = 1500;

/// How many responses a percentile needs before the log warns about it.
const MIN_RESPONSES: usize = 20;

/// The outcomes as labels; see [`outcome_index`].
pub(super) const OUTCOMES: [&str; 6] =
    ["completed", "refused", "denied", "cancelled", "timed_out", "aborted"];

/// The index of an outcome in [`OUTCOMES`]. `None` for a replay, whose first run was counted when it ran.
pub(super) fn outcome_index(outcome: &Outcome) -> Option<usize> {
    Some(match outcome {
        Outcome::Completed => 0,
        Outcome::Refused(_) => 1,
        Outcome::Denied | Outcome::Superseded => 2,
        Outcome::Replayed => return None,
        Outcome::Cancelled => 3,
        Outcome::TimedOut => 4,
        Outcome::Panicked | Outcome::ProcessDied => 5,
    })
}

/// The figures of all tools. Lookups take no lock: an entry never moves and is never removed.
#[derive(Debug)]
pub(super) struct ToolTable {
    places: Box<[OnceLock<Box<ToolFigures>>]>,
    /// How many entries there are.
    entries: Mutex<usize>,
    other: ToolFigures,
}

/// The figures of one tool.
#[derive(Debug)]
pub(super) struct ToolFigures {
    pub(super) tool: Box<str>,
    pub(super) outcomes: [Counter; OUTCOMES.len()],
    /// Completed with a success.
    pub(super) succeeded: Counter,
    pub(super) over_budget: Counter,
    pub(super) durations: Buckets<{ DURATIONS.len() }>,
    pub(super) sizes: Buckets<{ SIZES.len() }>,
    pub(super) tokens: Buckets<{ TOKENS.len() }>,
    pub(super) recent_durations: RecentValues,
    pub(super) recent_sizes: RecentValues,
    long_responses: AtomicUsize,
    is_long: AtomicBool,
}

impl Default for ToolTable {
    fn default() -> Self {
        let places = (0..PLACES).map(|_| OnceLock::new()).collect();
        Self { places, entries: Mutex::new(0), other: ToolFigures::new(OTHER) }
    }
}

impl ToolTable {
    /// The shared entry.
    pub(super) fn other(&self) -> &ToolFigures {
        &self.other
    }

    /// The figures of a tool.
    pub(super) fn of(&self, tool: &str) -> &ToolFigures {
        if tool == OTHER {
            return &self.other;
        }
        self.find(tool).or_else(|| self.insert(tool)).unwrap_or(&self.other)
    }

    /// All entries, the shared one last.
    pub(super) fn all(&self) -> impl Iterator<Item = &ToolFigures> {
        self.places().map(|(_, entry)| entry)
    }

    /// All entries with their places, which never change.
    pub(super) fn places(&self) -> impl Iterator<Item = (usize, &ToolFigures)> {
        let entries = self.places.iter().enumerate();
        let own = entries.filter_map(|(at, place)| Some((at, &**place.get()?)));
        own.chain([(PLACES, &self.other)])
    }

    /// The entries with at least one call, sorted by name.
    pub(super) fn used(&self) -> Vec<&ToolFigures> {
        let mut used: Vec<_> = self.all().filter(|tool| tool.calls() > 0).collect();
        used.sort_unstable_by(|a, b| a.tool.cmp(&b.tool));
        used
    }

    fn find(&self, tool: &str) -> Option<&ToolFigures> {
        let entries = self.search(tool).map_while(OnceLock::get);
        entries.map(|entry| &**entry).find(|entry| *entry.tool == *tool)
    }

    fn insert(&self, tool: &str) -> Option<&ToolFigures> {
        let mut entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        // Another thread may have inserted it meanwhile.
        if let Some(found) = self.find(tool) {
            return Some(found);
        }
        if *entries >= MAX_TOOLS {
            return None;
        }
        *entries += 1;
        let free = self.search(tool).find(|place| place.get().is_none())?;
        Some(free.get_or_init(|| Box::new(ToolFigures::new(tool))))
    }

    /// The places where a tool may be, in order. The first empty one ends the search.
    fn search(&self, tool: &str) -> impl Iterator<Item = &OnceLock<Box<ToolFigures>>> {
        let mut hasher = DefaultHasher::new();
        tool.hash(&mut hasher);
        let start = hasher.finish() as usize % PLACES;
        self.places.iter().cycle().skip(start).take(PLACES)
    }
}

impl ToolFigures {
    fn new(tool: &str) -> Self {
        Self {
            tool: tool.into(),
            outcomes: Default::default(),
            succeeded: Counter::default(),
            over_budget: Counter::default(),
            durations: Buckets::new(&DURATIONS),
            sizes: Buckets::new(&SIZES),
            tokens: Buckets::new(&TOKENS),
            recent_durations: RecentValues::default(),
            recent_sizes: RecentValues::default(),
            long_responses: AtomicUsize::new(0),
            is_long: AtomicBool::new(false),
        }
    }

    /// The counts for the time series.
    pub(super) fn counts(&self) -> ToolCounts<u64> {
        let [completed, refused, .., timed_out, aborted] =
            self.outcomes.each_ref().map(Counter::count);
        let succeeded = self.succeeded.count();
        ToolCounts {
            calls: self.calls(),
            succeeded,
            failed: (completed + timed_out + aborted).saturating_sub(succeeded),
            refused,
            over_budget: self.over_budget.count(),
        }
    }

    /// All answered calls.
    pub(super) fn calls(&self) -> u64 {
        self.outcomes.iter().map(Counter::count).sum()
    }

    /// A handler ran for so long.
    pub(super) fn ran(&self, duration_ms: u64, step: u32) {
        self.durations.record(duration_ms);
        self.recent_durations.record(duration_ms, step);
    }

    /// A handler returned a response of this size. Logs a warning when the responses become too long for a
    /// model.
    pub(super) fn responded(&self, chars: u64, tokens: u64, step: u32) {
        self.sizes.record(chars);
        self.tokens.record(tokens);
        let replaced = self.recent_sizes.record(chars, step);
        if chars > LONG_CHARS {
            self.long_responses.fetch_add(1, Ordering::Relaxed);
        }
        if replaced.is_some_and(|chars| chars > LONG_CHARS) {
            self.long_responses.fetch_sub(1, Ordering::Relaxed);
        }
        let is_long = self.has_long_p95();
        let was_long = self.is_long.swap(is_long, Ordering::Relaxed);
        if is_long && !was_long && *self.tool != *OTHER {
            self.warn();
        }
    }

    /// Whether the 95th percentile of the recent responses is too long. Counted while recording, so that no
    /// call sorts anything.
    fn has_long_p95(&self) -> bool {
        let responses = self.recent_sizes.len();
        let short = responses.saturating_sub(self.long_responses.load(Ordering::Relaxed));
        responses >= MIN_RESPONSES && short < (responses * 95).div_ceil(100)
    }

    fn warn(&self) {
        let [p95] = self.recent_sizes.percentiles([95]);
        let (tool, responses) = (&*self.tool, self.recent_sizes.len());
        tracing::warn!(
            tool,
            p95,
            limit = LONG_CHARS,
            responses,
            "The responses of a tool are long for a model: the 95th percentile passes the limit in characters."
        );
    }
}

#[cfg(test)]
#[path = "tools_tests.rs"]
mod tests;
