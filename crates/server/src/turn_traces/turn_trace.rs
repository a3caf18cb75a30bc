//! The course of one turn: its calls, and stretches of time.

use std::sync::Arc;

use aileron_contract::{CallId, Mode, Outcome};
use aileron_orchestrator::DecidedEvent;
use schemars::JsonSchema;
use serde::Serialize;

/// How many spans of one turn are kept.
pub(super) const MAX_SPANS: usize = 512;

/// One turn.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct TurnTrace {
    pub(crate) mode: Mode,
    pub(crate) started_at: u64,
    pub(crate) ended_at: Option<u64>,
    pub(crate) calls: Vec<CallTrace>,
    pub(crate) spans: Vec<TraceSpan>,
    pub(crate) usage: (u64, u64),
    /// The estimated tokens of the history in the last model request.
    pub(crate) history_tokens: Option<u64>,
}

/// One call.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct CallTrace {
    /// The decision. It shares its memory with the event.
    pub(crate) decided: Arc<DecidedEvent>,
    /// Whether the arguments are too large and left out of `decided`.
    pub(crate) is_without_args: bool,
    pub(crate) decided_at: u64,
    pub(crate) started_at: Option<u64>,
    pub(crate) finished_at: Option<u64>,
    pub(crate) attempts: Option<u32>,
    pub(crate) over_budget: bool,
    pub(crate) outcome: Option<Outcome>,
    /// The confirmation that was requested for it.
    pub(crate) confirmation: Option<String>,
}

/// A stretch of time within a turn.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct TraceSpan {
    pub(crate) kind: SpanKind,
    pub(crate) call_id: Option<CallId>,
    pub(crate) from: u64,
    pub(crate) to: Option<u64>,
}

/// The activity in a stretch of time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) enum SpanKind {
    /// The model works on a reply.
    Model,
    PersonSpeech,
    ModelSpeech,
    /// Speech of the model that was not played because of barge-in.
    CutOff,
    /// A call waits for the person.
    WaitingForPerson,
    /// A call was admitted and waits for another one.
    WaitingForSlot,
    /// A handler runs.
    Working,
    /// A handler failed; the time until it runs again.
    Retry,
    /// The connection to the provider is restored.
    Reconnect,
}

impl TurnTrace {
    pub(super) fn begun(mode: Mode, now: u64) -> Self {
        Self {
            mode,
            started_at: now,
            ended_at: None,
            calls: Vec::new(),
            spans: Vec::new(),
            usage: (0, 0),
            history_tokens: None,
        }
    }

    pub(super) fn entries(&self) -> usize {
        self.calls.len() + self.spans.len()
    }

    pub(super) fn push(&mut self, span: TraceSpan) {
        push(&mut self.spans, span);
    }

    pub(super) fn close(&mut self, is_it: impl Fn(&TraceSpan) -> bool, now: u64) {
        close(&mut self.spans, is_it, now);
    }
}

pub(super) fn push(spans: &mut Vec<TraceSpan>, span: TraceSpan) {
    if spans.len() < MAX_SPANS {
        spans.push(span);
    }
}

pub(super) fn close(spans: &mut [TraceSpan], is_it: impl Fn(&TraceSpan) -> bool, now: u64) {
    let open = spans.iter_mut().filter(|span| span.to.is_none() && is_it(span));
    open.for_each(|span| span.to = Some(now.max(span.from)));
}
