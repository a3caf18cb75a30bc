//! The calls of the last turns and how each ended, for the loop policy.

use std::collections::VecDeque;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use aileron_contract::envelope::Failure;
use aileron_contract::{AuditEntry, CallId};
use serde_json::Value;

/// How many calls with invalid arguments are remembered per turn. They use no budget, so nothing
/// else bounds their number.
const MAX_INVALID: usize = 256;

/// The calls of the last turns, the current one last.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct CallHistory {
    turns: VecDeque<TurnCalls>,
    /// How often the history was rebuilt from records, so that an index into one is not used for
    /// another.
    made: u64,
}

/// The calls of one turn.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct TurnCalls {
    number: u64,
    calls: Vec<PastCall>,
    /// How many calls were added, including forgotten ones.
    added: usize,
    /// How many of the remembered calls had invalid arguments.
    invalid: usize,
}

/// One call that was admitted, or whose arguments were invalid.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct PastCall {
    /// Its number among the calls of the turn.
    at: usize,
    pub(crate) tool: Arc<str>,
    digest: u64,
    /// Set if the call is identified by its content: its id, and its attempt number.
    content_key: Option<(CallId, usize)>,
    pub(crate) ended: CallEnd,
}

/// How a call ended, for the loop policy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum CallEnd {
    Running,
    Succeeded,
    Empty,
    Failed {
        signature: u64,
        retryable: bool,
    },
    /// Its arguments were invalid, so it was not admitted.
    InvalidArguments {
        signature: u64,
    },
}

/// The place of a call in the history.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct HistoryIndex {
    turn: u64,
    at: usize,
    made: u64,
}

impl HistoryIndex {
    /// The place of a call that is in no history, because it runs again after a restart.
    pub(crate) const NOWHERE: Self = Self { turn: u64::MAX, at: usize::MAX, made: u64::MAX };
}

impl Default for CallHistory {
    fn default() -> Self {
        Self { turns: VecDeque::from([TurnCalls::default()]), made: 0 }
    }
}

impl CallHistory {
    /// Begins a turn and forgets those beyond the last `keep`.
    pub(crate) fn begin(&mut self, number: u64, keep: usize) {
        self.turns.push_back(TurnCalls { number, ..TurnCalls::NONE });
        while self.turns.len() > keep.max(1) {
            self.turns.pop_front();
        }
    }

    /// The number of remembered turns; calls before the first turn count as one.
    pub(crate) fn turns(&self) -> usize {
        self.turns.len()
    }

    /// The current turn.
    pub(crate) fn current(&self) -> &TurnCalls {
        self.turns.back().unwrap_or(const { &TurnCalls::NONE })
    }

    /// Whether a call belongs to the current turn.
    pub(crate) fn is_current(&self, place: HistoryIndex) -> bool {
        place.made == self.made && place.turn == self.current().number
    }

    /// Marks this history as rebuilt from the records of `before`, so that indexes into that one
    /// are void.
    pub(crate) fn follow_on(&mut self, before: &Self) {
        self.made = before.made + 1;
    }

    /// Adds a call to the current turn.
    pub(crate) fn push(
        &mut self,
        (tool, digest): (Arc<str>, u64),
        content_key: Option<(&CallId, usize)>,
        ended: CallEnd,
    ) -> HistoryIndex {
        let made = self.made;
        let Some(turn) = self.turns.back_mut() else {
            return HistoryIndex { turn: 0, at: usize::MAX, made };
        };
        let content_key = content_key.map(|(id, attempt)| (id.clone(), attempt));
        let at = turn.added;
        turn.add(PastCall { at, tool, digest, content_key, ended });
        HistoryIndex { turn: turn.number, at, made }
    }

    /// Removes a call that did not start.
    pub(crate) fn remove(&mut self, place: HistoryIndex) {
        let turn = self.turns.iter_mut().rev().find(|turn| turn.number == place.turn);
        if let Some(turn) = turn.filter(|_| place.made == self.made) {
            turn.remove(place.at);
        }
    }

    /// Sets how a call ended. Ignores a call of a forgotten turn.
    pub(crate) fn end(&mut self, place: HistoryIndex, ended: CallEnd) {
        if place.made != self.made {
            return;
        }
        let turn = self.turns.iter_mut().rev().find(|turn| turn.number == place.turn);
        if let Some(call) = turn.and_then(|turn| turn.find_mut(place.at)) {
            call.ended = ended;
        }
    }
}

impl TurnCalls {
    fn remove(&mut self, at: usize) {
        if let Ok(found) = self.calls.binary_search_by_key(&at, |call| call.at) {
            self.calls.remove(found);
        }
    }

    const NONE: Self = Self { number: 0, calls: Vec::new(), added: 0, invalid: 0 };

    fn add(&mut self, call: PastCall) {
        self.added += 1;
        if call.ended.is_invalid_arguments() {
            self.make_room();
        }
        self.calls.push(call);
    }

    /// Removes the oldest call with invalid arguments if the limit is reached.
    fn make_room(&mut self) {
        if self.invalid < MAX_INVALID {
            self.invalid += 1;
        } else if let Some(oldest) =
            self.calls.iter().position(|call| call.ended.is_invalid_arguments())
        {
            self.calls.remove(oldest);
        }
    }

    fn find_mut(&mut self, at: usize) -> Option<&mut PastCall> {
        let found = self.calls.binary_search_by_key(&at, |call| call.at).ok()?;
        self.calls.get_mut(found)
    }

    /// The calls, first to last.
    pub(crate) fn calls(&self) -> impl DoubleEndedIterator<Item = &PastCall> {
        self.calls.iter()
    }

    /// Whether a call with this content was made under this id, which does not identify it alone.
    pub(crate) fn has(&self, what: (&str, u64), id: &CallId) -> bool {
        self.made_as(what, id).is_some()
    }

    /// The attempt number of a call with this id and content, counted over retryable failures. A
    /// call that is delivered again keeps its number, however it ended.
    pub(crate) fn attempt(&self, what: (&str, u64), id: &CallId) -> usize {
        self.made_as(what, id).unwrap_or_else(|| self.retryable_failures(what))
    }

    fn made_as(&self, (tool, digest): (&str, u64), id: &CallId) -> Option<usize> {
        let mut same = self.calls().filter(|call| call.is(tool, digest));
        same.find_map(|call| call.content_key.as_ref().filter(|(made, _)| made == id))
            .map(|(_, attempt)| *attempt)
    }

    /// How often a call with this content failed with a retryable failure.
    pub(crate) fn retryable_failures(&self, (tool, digest): (&str, u64)) -> usize {
        let same = self.calls().filter(|call| call.is(tool, digest));
        same.filter(|call| call.ended.is_retryable()).count()
    }
}

impl PastCall {
    /// Whether this was a call of that tool with those arguments.
    pub(crate) fn is(&self, tool: &str, digest: u64) -> bool {
        self.digest == digest && *self.tool == *tool
    }

    /// Whether both were the same call.
    pub(crate) fn same(&self, other: &Self) -> bool {
        self.is(&other.tool, other.digest)
    }
}

impl CallEnd {
    /// How a recorded call ended, if its record says so.
    pub(crate) fn recorded(entry: &AuditEntry) -> Self {
        match recorded_failure(entry) {
            Some(failure) => Self::failed(&failure),
            None if entry.result.as_ref().is_some_and(is_empty_result) => Self::Empty,
            None => Self::Succeeded,
        }
    }

    /// Whether it is a retryable failure.
    pub(crate) fn is_retryable(&self) -> bool {
        matches!(self, Self::Failed { retryable: true, .. })
    }

    fn is_invalid_arguments(&self) -> bool {
        matches!(self, Self::InvalidArguments { .. })
    }

    /// The invalid arguments of a recorded call, if its record has the faults.
    pub(crate) fn recorded_invalid_arguments(entry: &AuditEntry) -> Self {
        recorded_failure(entry).map_or(Self::Succeeded, |failure| Self::invalid_arguments(&failure))
    }

    /// A failure; two with the same message are equal.
    pub(crate) fn failed(failure: &Failure) -> Self {
        Self::Failed { signature: signature(failure), retryable: failure.retryable }
    }

    /// Invalid arguments; two with the same faults are equal.
    pub(crate) fn invalid_arguments(failure: &Failure) -> Self {
        Self::InvalidArguments { signature: signature(failure) }
    }
}

/// Whether a result is empty: `[]`, `{}`, blank text, or an empty list of `results` without a
/// non-empty list or object beside it. Durations and search options do not count as results.
pub(crate) fn is_empty_result(data: &Value) -> bool {
    match data {
        Value::Null => true,
        Value::String(text) => text.trim().is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(members) => {
            let no_results = members.get("results").and_then(Value::as_array);
            members.is_empty()
                || (no_results.is_some_and(Vec::is_empty) && !members.values().any(lists))
        }
        Value::Bool(_) | Value::Number(_) => false,
    }
}

fn lists(value: &Value) -> bool {
    match value {
        Value::Array(items) => !items.is_empty(),
        Value::Object(members) => !members.is_empty(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => false,
    }
}

fn recorded_failure(entry: &AuditEntry) -> Option<Failure> {
    let kind = entry.error?;
    let message = entry.result.as_ref().and_then(|result| result["message"].as_str());
    let mut failure = Failure::new(kind, message.unwrap_or(kind.sentence()));
    failure.retryable = entry.retryable.unwrap_or(failure.retryable);
    Some(failure)
}

fn signature(failure: &Failure) -> u64 {
    let mut hasher = DefaultHasher::new();
    (failure.kind, &failure.message).hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
#[path = "history_tests.rs"]
mod tests;
