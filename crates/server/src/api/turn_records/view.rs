//! A turn as the API shows it.

use aileron_contract::audit::TrailStep;
use aileron_contract::{AuditRecord, Mode};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};

use crate::api::confirmations::ConfirmationView;
use crate::api::messages::MessageEntry;
use crate::api::schema;
use crate::turn_traces::{CallTrace, SpanKind, TraceSpan};

/// A page of turns, the oldest first.
#[derive(Debug, Serialize, JsonSchema)]
pub(in crate::api) struct TurnList {
    pub(super) turns: Vec<TurnRecord>,
    /// Give this as `before` to get earlier turns; absent if there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) before: Option<u64>,
}

/// A turn.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::api) struct TurnRecord {
    pub(super) turn: u64,
    #[schemars(schema_with = "schema::mode")]
    pub(super) mode: Mode,
    /// Milliseconds since the Unix epoch.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) started_at: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) ended_at: Option<u64>,
    pub(super) source: TurnSource,
    pub(super) messages: Vec<MessageEntry>,
    pub(super) calls: Vec<CallRecord>,
    pub(super) spans: Vec<SpanView>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) context: Option<TurnContext>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) usage: Option<TurnUsage>,
}

/// How much is known about a turn.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) enum TurnSource {
    /// This process remembers its course.
    Live,
    /// Only the message log and the audit log have it.
    Records,
}

/// A call of a turn.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct CallRecord {
    pub(super) call_id: String,
    pub(super) tool_id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) tool_version: Option<String>,
    pub(super) registry_version: String,
    /// The call in which a handler made this one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) parent_call_id: Option<String>,
    /// The arguments as the model sent them.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(default, schema_with = "schema::anything")]
    pub(super) args_sent: Option<Value>,
    /// The arguments with defaults and limits applied.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(default, schema_with = "schema::anything")]
    pub(super) args_used: Option<Value>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(default, schema_with = "schema::objects")]
    pub(super) clamped: Vec<Value>,
    #[schemars(schema_with = "schema::trail")]
    pub(super) trail: Vec<TrailStep>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) decided_at: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) started_at: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) finished_at: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) attempts: Option<u32>,
    /// The tool's `latencyBudgetMs`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) budget_ms: Option<u64>,
    pub(super) over_budget: bool,
    /// `completed`, `refused:<policy>` and so on; absent while it runs or waits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) outcome: Option<String>,
    /// The whole envelope, without redacted fields.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(default, schema_with = "schema::envelope")]
    pub(super) response: Option<Value>,
    /// The part of the response that the model was given.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(default, schema_with = "schema::anything")]
    pub(super) model_saw: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) confirmation: Option<ConfirmationView>,
    /// Its audit record.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) audit_seq: Option<u64>,
}

/// A stretch of time.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct SpanView {
    pub(super) kind: SpanKind,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) call_id: Option<String>,
    /// Milliseconds since the Unix epoch.
    pub(super) from: u64,
    /// Absent while it lasts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) to: Option<u64>,
}

/// The context of the model, in estimated tokens, as it is composed now.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct TurnContext {
    /// The parts of the instructions, in their order.
    pub(super) parts: Vec<ContextPart>,
    pub(super) instructions: String,
    pub(super) declarations: u64,
    /// The history in the last request of the turn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) history: Option<u64>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct ContextPart {
    pub(super) name: &'static str,
    pub(super) tokens: usize,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct TurnUsage {
    pub(super) input: u64,
    pub(super) output: u64,
}

impl CallRecord {
    pub(super) fn add_trace(&mut self, traced: &CallTrace) {
        let decided = &traced.decided;
        self.args_used = (!traced.is_without_args).then(|| decided.args.clone());
        self.clamped = decided.clamped.iter().map(|clamp| json!(clamp)).collect();
        self.trail.clone_from(&decided.trail);
        self.decided_at = Some(traced.decided_at);
        self.started_at = traced.started_at;
        self.finished_at = traced.finished_at;
        self.attempts = traced.attempts;
        self.over_budget = traced.over_budget;
        self.outcome = traced.outcome.as_ref().map(ToString::to_string);
    }

    pub(super) fn add_record(&mut self, record: &AuditRecord) {
        let entry = &record.entry;
        self.audit_seq = Some(record.seq);
        self.args_used.get_or_insert_with(|| entry.args.clone());
        if self.trail.is_empty() {
            self.trail.clone_from(&entry.trail);
        }
        self.tool_version.clone_from(&entry.tool_version);
        self.decided_at.get_or_insert(entry.time);
        let ran = entry.attempts > 0 && !entry.outcome.to_string().starts_with("refused");
        if ran && self.started_at.is_none() {
            self.started_at = Some(entry.time);
            self.finished_at = Some(entry.time.saturating_add(entry.duration));
        }
        self.attempts = Some(entry.attempts);
        self.outcome = Some(entry.outcome.to_string());
    }
}

impl SpanView {
    pub(super) fn of(span: &TraceSpan) -> Self {
        Self {
            kind: span.kind,
            call_id: span.call_id.as_ref().map(ToString::to_string),
            from: span.from,
            to: span.to,
        }
    }
}
