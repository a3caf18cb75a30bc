//! Figures by version, in bounded space: calls of each tool under each registry, and conversations that began with
//! each registry. The first ones have their own figures, all others share one.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Mutex, OnceLock, PoisonError};

use aileron_contract::{Outcome, ToolResponse};
use aileron_orchestrator::ConversationEvent;

use super::figure::{Buckets, Counter};
use super::tools::{OTHER, outcome_index};

/// How many tools under how many registries have their own figures.
pub(super) const MAX_VERSIONS: usize = 200;

/// Places of a table, more than twice the entries, so that searches are short.
const PLACES: usize = 512;

/// Upper bounds in milliseconds.
const DURATIONS: [u64; 10] = [5, 10, 25, 50, 100, 250, 500, 1000, 5000, 30_000];

/// The labels of an entry: registry version, tool, tool version.
type Labels<'a> = [&'a str; 3];

/// The figures by version.
#[derive(Debug, Default)]
pub(super) struct VersionMetrics {
    pub(super) tools: VersionTable,
    /// Conversations by registry version; the labels of the tool are empty.
    pub(super) conversations: VersionTable,
}

impl VersionMetrics {
    pub(super) fn count(&self, registry_version: &str, event: &ConversationEvent) {
        match event {
            ConversationEvent::Began { .. } => {
                self.conversations.of([registry_version, "", ""]).calls.add(1);
            }
            ConversationEvent::Answered { outcome, answer } => {
                self.answered(registry_version, outcome, answer);
            }
            _ => {}
        }
    }

    fn answered(&self, registry_version: &str, outcome: &Outcome, answer: &ToolResponse) {
        let meta = answer.meta();
        // Only a tool that exists has a version, and a replay was counted when it ran.
        let Some(tool_version) = &meta.tool_version else { return };
        if outcome_index(outcome).is_none() {
            return;
        }
        let figures = self.tools.of([registry_version, &meta.tool_id, tool_version]);
        figures.calls.add(1);
        if meta.attempts > 0 {
            figures.durations.record(meta.duration);
        }
        if let ToolResponse::Success { .. } = answer {
            figures.succeeded.add(1);
        }
    }
}

/// The figures of all versions. Lookups take no lock: an entry never moves and is never removed.
#[derive(Debug)]
pub(super) struct VersionTable {
    places: Box<[OnceLock<Box<VersionFigures>>]>,
    /// How many entries there are.
    entries: Mutex<usize>,
    other: VersionFigures,
}

/// The figures of one entry.
#[derive(Debug)]
pub(super) struct VersionFigures {
    pub(super) labels: [Box<str>; 3],
    pub(super) calls: Counter,
    pub(super) succeeded: Counter,
    pub(super) durations: Buckets<{ DURATIONS.len() }>,
}

impl VersionFigures {
    fn new(labels: Labels<'_>) -> Self {
        Self {
            labels: labels.map(Box::from),
            calls: Counter::default(),
            succeeded: Counter::default(),
            durations: Buckets::new(&DURATIONS),
        }
    }

    fn has(&self, labels: Labels<'_>) -> bool {
        self.labels.iter().zip(labels).all(|(own, label)| **own == *label)
    }
}

impl Default for VersionTable {
    fn default() -> Self {
        let places = (0..PLACES).map(|_| OnceLock::new()).collect();
        Self { places, entries: Mutex::new(0), other: VersionFigures::new([OTHER; 3]) }
    }
}

impl VersionTable {
    pub(super) fn of(&self, labels: Labels<'_>) -> &VersionFigures {
        self.find(labels).or_else(|| self.insert(labels)).unwrap_or(&self.other)
    }

    /// The entries that were counted, sorted by their labels.
    pub(super) fn used(&self) -> Vec<&VersionFigures> {
        let own = self.places.iter().filter_map(|place| place.get().map(|entry| &**entry));
        let all = own.chain([&self.other]);
        let mut used: Vec<_> = all.filter(|entry| entry.calls.count() > 0).collect();
        used.sort_unstable_by(|a, b| a.labels.cmp(&b.labels));
        used
    }

    fn find(&self, labels: Labels<'_>) -> Option<&VersionFigures> {
        let entries = self.search(labels).map_while(OnceLock::get);
        entries.map(|entry| &**entry).find(|entry| entry.has(labels))
    }

    fn insert(&self, labels: Labels<'_>) -> Option<&VersionFigures> {
        let mut entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        // Another thread may have inserted it meanwhile.
        if let Some(found) = self.find(labels) {
            return Some(found);
        }
        if *entries >= MAX_VERSIONS {
            return None;
        }
        *entries += 1;
        let free = self.search(labels).find(|place| place.get().is_none())?;
        Some(free.get_or_init(|| Box::new(VersionFigures::new(labels))))
    }

    /// The places where an entry may be, in order. The first empty one ends the search.
    fn search(&self, labels: Labels<'_>) -> impl Iterator<Item = &OnceLock<Box<VersionFigures>>> {
        let mut hasher = DefaultHasher::new();
        labels.hash(&mut hasher);
        let start = hasher.finish() as usize % PLACES;
        self.places.iter().cycle().skip(start).take(PLACES)
    }
}

#[cfg(test)]
#[path = "versions_tests.rs"]
mod tests;
