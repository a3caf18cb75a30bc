//! The course of the newest turns, in memory: when the model, speech and each call began and ended, and how
//! each call was decided. Bounded; gone with the process, after which the message log and the audit log
//! still tell the rest.

mod turn_trace;

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use aileron_contract::{CallId, ConversationId, ErrorType, Mode, Outcome, ToolResponse};
use aileron_orchestrator::token::id_of;
use aileron_orchestrator::{ConversationEvent, DecidedEvent};
use serde_json::Value;

pub(crate) use self::turn_trace::{CallTrace, SpanKind, TraceSpan, TurnTrace};
use self::turn_trace::{close, push};
use crate::voice::json_chars;

/// How many turns are kept.
const MAX_TURNS: usize = 2000;

/// How many calls of one turn are kept, and how many calls and spans of all together.
const MAX_CALLS: usize = 128;
const MAX_ENTRIES: usize = 20_000;

/// How many calls and spans are left once there are too many, so that they are seldom counted.
const ENTRIES_LEFT: usize = 18_000;

/// How many calls and spans one event adds at most.
const MAX_ADDED: usize = 2;

/// Larger arguments are left out; the audit record has them.
const MAX_ARGS_CHARS: usize = 2 << 10;

/// The newest turns of all conversations.
#[derive(Debug, Default)]
pub(crate) struct TurnTraces(Mutex<Traces>);

#[derive(Debug, Default)]
struct Traces {
    turns: BTreeMap<(ConversationId, u64), TurnTrace>,
    /// The turns, the oldest first.
    order: VecDeque<(ConversationId, u64)>,
    /// The latest turn of each conversation in `turns`.
    latest: BTreeMap<ConversationId, u64>,
    /// Spans of a turn that has not begun yet.
    pending: BTreeMap<ConversationId, Vec<TraceSpan>>,
    /// A confirmation that was requested; the answer of its call follows.
    requested: BTreeMap<ConversationId, String>,
    /// At least the number of calls and spans in `turns`. They are counted only when this passes the maximum.
    entries_at_most: usize,
}

impl TurnTraces {
    /// Records an event of a conversation.
    pub(crate) fn on_event(&self, id: &ConversationId, event: &ConversationEvent, now: u64) {
        let mut traces = self.lock();
        traces.entries_at_most += MAX_ADDED;
        match event {
            ConversationEvent::TurnBegan { turn, mode, .. } => traces.begin(id, *turn, *mode, now),
            ConversationEvent::Decided(decided) => traces.decided(id, decided, now),
            ConversationEvent::Started { call_id, .. } => traces.started(id, call_id, now),
            ConversationEvent::Retrying { call_id, at } => traces.retrying(id, call_id, now, *at),
            ConversationEvent::Answered { outcome, answer } => {
                traces.answered(id, outcome, answer, now);
            }
            ConversationEvent::ConfirmationRequested(request) => {
                if let Some(token_id) = id_of(&request.token)
                    && traces.requested.len() < MAX_TURNS
                {
                    traces.requested.insert(id.clone(), token_id.to_owned());
                }
            }
            ConversationEvent::ConfirmationClosed { token_id, .. } => {
                traces.confirmation_closed(id, token_id, now);
            }
            _ => {}
        }
    }

    /// Begins a span of the current turn, unless one of its kind is open. While no turn is open, the span belongs to
    /// the next one: a provider may answer before the turn is stored.
    pub(crate) fn begin_span(&self, id: &ConversationId, kind: SpanKind, now: u64) {
        let mut traces = self.lock();
        traces.entries_at_most += MAX_ADDED;
        let Some(spans) = traces.current_spans(id) else { return };
        if !spans.iter().any(|span| span.kind == kind && span.to.is_none()) {
            push(spans, TraceSpan { kind, call_id: None, from: now, to: None });
        }
    }

    /// Ends the open span of this kind.
    pub(crate) fn end_span(&self, id: &ConversationId, kind: SpanKind, now: u64) {
        let mut traces = self.lock();
        let Traces { turns, latest, pending, .. } = &mut *traces;
        let turn = latest.get(id).and_then(|turn| turns.get_mut(&(id.clone(), *turn)));
        let spans = turn.map(|turn| &mut turn.spans).into_iter().chain(pending.get_mut(id));
        spans.for_each(|spans| close(spans, |span| span.kind == kind, now));
    }

    /// The person began to speak, which begins a turn.
    pub(crate) fn begin_speech(&self, id: &ConversationId, now: u64) {
        let mut traces = self.lock();
        let Some(spans) = traces.pending_spans(id) else { return };
        if !spans.iter().any(|span| span.kind == SpanKind::PersonSpeech) {
            let kind = SpanKind::PersonSpeech;
            push(spans, TraceSpan { kind, call_id: None, from: now, to: None });
        }
    }

    /// Adds a span of the current turn whose end is known.
    pub(crate) fn add_span(&self, id: &ConversationId, kind: SpanKind, from: u64, to: u64) {
        let mut traces = self.lock();
        traces.entries_at_most += MAX_ADDED;
        if let Some(spans) = traces.current_spans(id) {
            push(spans, TraceSpan { kind, call_id: None, from, to: Some(to) });
        }
    }

    /// Ends the latest turn.
    pub(crate) fn end_turn(&self, id: &ConversationId, now: u64) -> Option<u64> {
        let mut traces = self.lock();
        let turn = traces.latest_turn(id)?;
        turn.ended_at = Some(now);
        turn.close(|span| matches!(span.kind, SpanKind::Model | SpanKind::ModelSpeech), now);
        traces.latest.get(id).copied()
    }

    /// The number of the latest turn that is kept.
    pub(crate) fn latest(&self, id: &ConversationId) -> Option<u64> {
        self.lock().latest.get(id).copied()
    }

    pub(crate) fn count_usage(&self, id: &ConversationId, input: u64, output: u64) {
        if let Some(turn) = self.lock().latest_turn(id) {
            turn.usage = (turn.usage.0 + input, turn.usage.1 + output);
        }
    }

    pub(crate) fn history(&self, id: &ConversationId, tokens: u64) {
        if let Some(turn) = self.lock().latest_turn(id) {
            turn.history_tokens = Some(tokens);
        }
    }

    /// A turn, if it is kept.
    pub(crate) fn turn(&self, id: &ConversationId, turn: u64) -> Option<TurnTrace> {
        self.lock().turns.get(&(id.clone(), turn)).cloned()
    }

    fn lock(&self) -> MutexGuard<'_, Traces> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Traces {
    fn begin(&mut self, id: &ConversationId, turn: u64, mode: Mode, now: u64) {
        if let Some(before) = self.latest_turn(id) {
            before.ended_at.get_or_insert(now);
        }
        self.make_room();
        let key = (id.clone(), turn);
        let mut trace = TurnTrace::begun(mode, now);
        trace.spans = self.pending.remove(id).unwrap_or_default();
        self.entries_at_most += trace.spans.len();
        trace.started_at = trace.spans.iter().map(|span| span.from).min().unwrap_or(now).min(now);
        if self.turns.insert(key.clone(), trace).is_none() {
            self.order.push_back(key);
        }
        self.latest.insert(id.clone(), turn);
    }

    /// Removes the oldest turns, so that another one fits.
    fn make_room(&mut self) {
        if self.entries_at_most > MAX_ENTRIES {
            self.entries_at_most = self.turns.values().map(TurnTrace::entries).sum();
            while self.entries_at_most > ENTRIES_LEFT && self.remove_oldest() {}
        }
        while self.order.len() >= MAX_TURNS && self.remove_oldest() {}
    }

    fn remove_oldest(&mut self) -> bool {
        let Some(oldest) = self.order.pop_front() else { return false };
        let removed = self.turns.remove(&oldest).map_or(0, |turn| turn.entries());
        self.entries_at_most = self.entries_at_most.saturating_sub(removed);
        if self.latest.get(&oldest.0) == Some(&oldest.1) {
            self.latest.remove(&oldest.0);
        }
        true
    }

    fn latest_turn(&mut self, id: &ConversationId) -> Option<&mut TurnTrace> {
        let turn = *self.latest.get(id)?;
        self.turns.get_mut(&(id.clone(), turn))
    }

    /// The spans of the current turn, or of the next one if none is open.
    fn current_spans(&mut self, id: &ConversationId) -> Option<&mut Vec<TraceSpan>> {
        let turn = self.latest.get(id).copied().unwrap_or_default();
        let key = (id.clone(), turn);
        match self.turns.get(&key).is_some_and(|turn| turn.ended_at.is_none()) {
            true => self.turns.get_mut(&key).map(|turn| &mut turn.spans),
            false => self.pending_spans(id),
        }
    }

    /// The spans of the turn that begins next; `None` if too many conversations have some.
    fn pending_spans(&mut self, id: &ConversationId) -> Option<&mut Vec<TraceSpan>> {
        let is_full = self.pending.len() >= MAX_TURNS && !self.pending.contains_key(id);
        (!is_full).then(|| self.pending.entry(id.clone()).or_default())
    }

    /// The turn of a call, and the call.
    fn call(&mut self, id: &ConversationId, call: &CallId) -> Option<(&mut TurnTrace, usize)> {
        let range = (id.clone(), 0)..=(id.clone(), u64::MAX);
        let turns = self.turns.range_mut(range).rev().map(|(_, turn)| turn);
        turns
            .filter_map(|turn| {
                let at = turn.calls.iter().rposition(|one| one.decided.call_id == *call)?;
                Some((turn, at))
            })
            .next()
    }

    fn decided(&mut self, id: &ConversationId, decided: &Arc<DecidedEvent>, now: u64) {
        let Some(turn) = self.turns.get_mut(&(id.clone(), decided.turn)) else { return };
        if turn.calls.len() == MAX_CALLS {
            return;
        }
        let is_without_args = json_chars(&decided.args) > MAX_ARGS_CHARS;
        let decided = match is_without_args {
            true => Arc::new(DecidedEvent { args: Value::Null, ..(**decided).clone() }),
            false => decided.clone(),
        };
        turn.calls.push(CallTrace {
            decided,
            is_without_args,
            decided_at: now,
            started_at: None,
            finished_at: None,
            attempts: None,
            over_budget: false,
            outcome: None,
            confirmation: None,
        });
    }

    fn started(&mut self, id: &ConversationId, call: &CallId, now: u64) {
        let Some((turn, at)) = self.call(id, call) else { return };
        let one = &mut turn.calls[at];
        one.started_at = Some(now);
        let (call_id, decided) = (Some(call.clone()), one.decided_at);
        if now > decided {
            let kind = SpanKind::WaitingForSlot;
            turn.push(TraceSpan { kind, call_id: call_id.clone(), from: decided, to: Some(now) });
        }
        turn.push(TraceSpan { kind: SpanKind::Working, call_id, from: now, to: None });
    }

    fn retrying(&mut self, id: &ConversationId, call: &CallId, now: u64, at: u64) {
        let Some((turn, _)) = self.call(id, call) else { return };
        let call_id = Some(call.clone());
        turn.close(|span| span.kind == SpanKind::Working && span.call_id == call_id, now);
        let retry = SpanKind::Retry;
        turn.push(TraceSpan { kind: retry, call_id: call_id.clone(), from: now, to: Some(at) });
        turn.push(TraceSpan { kind: SpanKind::Working, call_id, from: at, to: None });
    }

    fn answered(
        &mut self,
        id: &ConversationId,
        outcome: &Outcome,
        answer: &ToolResponse,
        now: u64,
    ) {
        let meta = answer.meta();
        let waits = answer.failure().is_some_and(|it| it.kind == ErrorType::ConfirmationRequired);
        let requested = if waits { self.requested.remove(id) } else { None };
        let Some((turn, at)) = self.call(id, &meta.call_id) else { return };
        let one = &mut turn.calls[at];
        if waits {
            // The call is not finished: it waits for the person. Without a confirmation of its own it waits
            // behind another call of its message.
            one.confirmation = requested;
            let call_id = Some(meta.call_id.clone());
            let kind = SpanKind::WaitingForPerson;
            return turn.push(TraceSpan { kind, call_id, from: now, to: None });
        }
        one.finished_at = Some(now);
        one.outcome = Some(outcome.clone());
        one.attempts = Some(meta.attempts);
        one.over_budget = meta.over_budget;
        let call = Some(meta.call_id.clone());
        turn.close(|span| span.kind == SpanKind::Working && span.call_id == call, now);
    }

    fn confirmation_closed(&mut self, id: &ConversationId, token_id: &str, now: u64) {
        let range = (id.clone(), 0)..=(id.clone(), u64::MAX);
        for (_, turn) in self.turns.range_mut(range).rev() {
            let asks = |one: &CallTrace| one.confirmation.as_deref() == Some(token_id);
            if turn.calls.iter().any(asks) {
                let others = |one: &&CallTrace| one.confirmation.is_some() && !asks(one);
                let others: Vec<_> = turn
                    .calls
                    .iter()
                    .filter(others)
                    .map(|one| Some(one.decided.call_id.clone()))
                    .collect();
                let is_it = |span: &TraceSpan| {
                    span.kind == SpanKind::WaitingForPerson && !others.contains(&span.call_id)
                };
                return turn.close(is_it, now);
            }
        }
    }
}

#[cfg(test)]
#[path = "turn_traces_tests.rs"]
mod tests;
