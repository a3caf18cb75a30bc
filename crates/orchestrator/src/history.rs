//! What was called in the last turns, and how it went: what the loop policy looks at.

use std::collections::VecDeque;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use aileron_contract::envelope::Failure;
use aileron_contract::{AuditEntry, CallId};
use serde_json::Value;

/// How many calls with arguments that did not fit are remembered of a turn. Nothing else bounds them:
/// they use no budget.
const MAX_INVALID: usize = 256;

/// The calls of the last turns, the current one last.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct CallHistory {
    turns: VecDeque<TurnCalls>,
    /// How often it was made anew from records, so that a place in one is not taken for a place in
    /// another.
    made: u64,
}

/// The calls of one turn.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct TurnCalls {
    number: u64,
    calls: Vec<PastCall>,
    /// How many calls were added, forgotten ones too.
    added: usize,
    /// How many of those that are remembered had arguments that did not fit.
    invalid: usize,
}

/// One call that was let through, or that failed its checks.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct PastCall {
    /// Its number among the calls of the turn.
    at: usize,
    pub(crate) tool: Arc<str>,
    digest: u64,
    /// Set if the call is known by what it asks for: its id, and for which time it asks.
    content_key: Option<(CallId, usize)>,
    pub(crate) ended: CallEnd,
}

/// How a call went, as far as loops are concerned.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum CallEnd {
    Running,
    Succeeded,
    Empty,
    Failed {
        signature: u64,
        retryable: bool,
    },
    /// Its arguments did not fit, so it was not let through.
    InvalidArguments {
        signature: u64,
    },
}

/// Where a call stands in the history.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct HistoryIndex {
    turn: u64,
    at: usize,
    made: u64,
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

    /// The turn that goes on.
    pub(crate) fn current(&self) -> &TurnCalls {
        self.turns.back().unwrap_or(const { &TurnCalls::NONE })
    }

    /// Whether a call stands in the turn that goes on.
    pub(crate) fn is_current(&self, place: HistoryIndex) -> bool {
        place.made == self.made && place.turn == self.current().number
    }

    /// Takes the place of a history that records were made of since.
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

    /// Forgets a call that did not begin.
    pub(crate) fn remove(&mut self, place: HistoryIndex) {
        let turn = self.turns.iter_mut().rev().find(|turn| turn.number == place.turn);
        if let Some(turn) = turn.filter(|_| place.made == self.made) {
            turn.remove(place.at);
        }
    }

    /// Says how a call went. One of a turn that is forgotten does not matter any more.
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

    /// Forgets the oldest call with arguments that did not fit, if there are as many as may be.
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

    /// Whether this call was made under this id, which says nothing by itself.
    pub(crate) fn has(&self, what: (&str, u64), id: &CallId) -> bool {
        self.made_as(what, id).is_some()
    }

    /// For which time a call under this id asks for the same, after failures that may be tried
    /// again. Delivered again, it is the call it was, whatever became of it.
    pub(crate) fn attempt(&self, what: (&str, u64), id: &CallId) -> usize {
        self.made_as(what, id).unwrap_or_else(|| self.retryable_failures(what))
    }

    fn made_as(&self, (tool, digest): (&str, u64), id: &CallId) -> Option<usize> {
        let mut same = self.calls().filter(|call| call.is(tool, digest));
        same.find_map(|call| call.content_key.as_ref().filter(|(made, _)| made == id))
            .map(|(_, attempt)| *attempt)
    }

    /// How often this very call failed in a way that may be tried again.
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
    /// How a recorded call went, as far as its record tells.
    pub(crate) fn recorded(entry: &AuditEntry) -> Self {
        match recorded_failure(entry) {
            Some(failure) => Self::failed(&failure),
            None if entry.result.as_ref().is_some_and(is_empty_result) => Self::Empty,
            None => Self::Succeeded,
        }
    }

    /// A failure that may be tried again.
    pub(crate) fn is_retryable(&self) -> bool {
        matches!(self, Self::Failed { retryable: true, .. })
    }

    fn is_invalid_arguments(&self) -> bool {
        matches!(self, Self::InvalidArguments { .. })
    }

    /// The faults of recorded arguments that did not fit, as far as their record tells.
    pub(crate) fn recorded_invalid_arguments(entry: &AuditEntry) -> Self {
        recorded_failure(entry).map_or(Self::Succeeded, |failure| Self::invalid_arguments(&failure))
    }

    /// A failure; two with the same words are the same.
    pub(crate) fn failed(failure: &Failure) -> Self {
        Self::Failed { signature: signature(failure), retryable: failure.retryable }
    }

    /// Arguments that did not fit; two with the same faults are the same.
    pub(crate) fn invalid_arguments(failure: &Failure) -> Self {
        Self::InvalidArguments { signature: signature(failure) }
    }
}

/// Whether a result says nothing: `[]`, `{}`, blank text, or an empty list of `results` beside
/// which nothing is listed. How long it took, or how it was looked for, is no result.
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
