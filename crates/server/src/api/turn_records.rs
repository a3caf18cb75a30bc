//! The turns of a conversation: messages, calls with their trails and times, the time axis, and the context
//! that the model was given. Composed of the message log, the audit log and, while this process remembers it,
//! the course of the turn.

mod view;

use std::collections::BTreeMap;

use aileron_contract::{AuditRecord, ConversationId, Provider};
use aileron_orchestrator::{ConversationSnapshot, Person};
use aileron_runtime::Registry;
use aileron_store::{AuditFilter, ConfirmationFilter, OwnerFilter};
use axum::extract::State;
use serde::Deserialize;
use serde_json::json;
use std::sync::Arc;

use self::view::{CallRecord, ContextPart, SpanView, TurnContext, TurnSource, TurnUsage};
pub(super) use self::view::{TurnList, TurnRecord};
use super::audit;
use super::confirmations::ConfirmationView;
use super::messages::{self, MessageEntry};
use super::request::{self, Path, Query, visible};
use crate::app::App;
use crate::error::ApiError;
use crate::request_checks::Caller;
use crate::role::Role;
use crate::turn_traces::TurnTrace;
use crate::voice::{json_chars, tokens};

/// Which turns.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TurnsQuery {
    before: Option<u64>,
    limit: Option<usize>,
}

/// Maximum number of turns on a page.
pub(super) const MAX_PAGE: usize = 50;

const PAGE: usize = 20;

/// How many messages are read at once.
const MESSAGES: usize = 200;

/// How many records of a turn are read.
const RECORDS: usize = 500;

pub(super) async fn list(
    State(app): State<App>,
    Caller(person): Caller,
    Path(id): Path<String>,
    Query(query): Query<TurnsQuery>,
) -> Result<axum::Json<TurnList>, ApiError> {
    let limit = request::page_size(query.limit, PAGE, MAX_PAGE)?;
    let reader = TurnReader::open(&app, id, person).await?;
    let end = request::exact("before", query.before)?
        .unwrap_or(u64::MAX)
        .min(reader.found.turn.saturating_add(1));
    let first = end.saturating_sub(limit as u64).max(1);
    let turns = reader.read(first, end).await?;
    Ok(axum::Json(TurnList { turns, before: (first > 1).then_some(first) }))
}

pub(super) async fn show(
    State(app): State<App>,
    Caller(person): Caller,
    Path((id, turn)): Path<(String, u64)>,
) -> Result<axum::Json<TurnRecord>, ApiError> {
    let reader = TurnReader::open(&app, id, person).await?;
    let unknown = || ApiError::not_found("the conversation has no such turn");
    if !(1..=reader.found.turn).contains(&turn) {
        return Err(unknown());
    }
    let found = reader.read(turn, turn.saturating_add(1)).await?.pop();
    let mut found = found.ok_or_else(unknown)?;
    found.context = reader.context(turn);
    Ok(axum::Json(found))
}

/// Confirmations by turn and by the call that the model made: a provider may use a short id again in each turn.
type Confirmations = BTreeMap<(u64, String), ConfirmationView>;

/// Reads turns of one conversation.
struct TurnReader {
    app: App,
    person: Person,
    role: Role,
    id: ConversationId,
    found: ConversationSnapshot,
    registry: Option<Arc<Registry>>,
}

impl TurnReader {
    async fn open(app: &App, id: String, person: Person) -> Result<Self, ApiError> {
        let id = request::id(id)?;
        let found = visible(app, &id, &person).await?;
        audit::write_pending(app).await;
        let registry = app.orchestrator().pinned_registry(&found.registry_version).await;
        let role = Role::of(app, &person);
        Ok(Self { app: app.clone(), person, role, id, found, registry })
    }

    /// The turns from `first` to before `end`.
    async fn read(&self, first: u64, end: u64) -> Result<Vec<TurnRecord>, ApiError> {
        let mut messages = self.messages(first, end).await?;
        let confirmations = self.confirmations().await?;
        let mut turns = Vec::new();
        for turn in first..end {
            let records = self.records(turn).await?;
            let messages = messages.remove(&turn).unwrap_or_default();
            let trace = self.app.event_hub().traces().turn(&self.id, turn);
            turns.push(self.turn(turn, trace, messages, records, &confirmations));
        }
        Ok(turns)
    }

    /// The messages of these turns. The log is read from its end.
    async fn messages(
        &self,
        first: u64,
        end: u64,
    ) -> Result<BTreeMap<u64, Vec<MessageEntry>>, ApiError> {
        let mut found: BTreeMap<u64, Vec<MessageEntry>> = BTreeMap::new();
        let mut before = request::MAX_EXACT;
        loop {
            let page = self.app.store().messages(&self.id, before, MESSAGES).await?;
            let Some(oldest) = page.first().map(|entry| entry.seq) else { break };
            let mut reached = false;
            for entry in page.iter().rev() {
                let message = messages::read(entry, self.registry.as_deref())?;
                let Some(turn) = message.turn() else { continue };
                reached |= turn < first;
                if (first..end).contains(&turn) {
                    found.entry(turn).or_default().insert(0, message);
                }
            }
            if reached || oldest <= 1 {
                break;
            }
            before = oldest;
        }
        Ok(found)
    }

    async fn records(&self, turn: u64) -> Result<Vec<AuditRecord>, ApiError> {
        let conversation = Some(self.id.clone());
        let filter = AuditFilter { conversation, turn: Some(turn), ..AuditFilter::default() };
        let everybody = OwnerFilter::Everybody;
        let mut records = audit::newest(&self.app, filter, everybody, u64::MAX, RECORDS).await?;
        records.reverse();
        Ok(records)
    }

    /// The confirmations of the conversation.
    async fn confirmations(&self) -> Result<Confirmations, ApiError> {
        let conversation = Some(self.id.clone());
        let filter = ConfirmationFilter { owner: OwnerFilter::Everybody, conversation };
        let orchestrator = self.app.orchestrator();
        let now = self.app.clock().now_ms().saturating_add(1);
        let open = orchestrator.open_confirmations(&filter, RECORDS).await?;
        let decided = orchestrator.decided_confirmations(&filter, now, RECORDS).await?;
        let view = |listed: aileron_orchestrator::ListedConfirmation| {
            let call = (listed.turn, listed.call_id.to_string());
            (call, ConfirmationView::of(listed, &self.person, self.role))
        };
        Ok(decided.into_iter().rev().chain(open).map(view).collect())
    }

    fn turn(
        &self,
        turn: u64,
        trace: Option<TurnTrace>,
        messages: Vec<MessageEntry>,
        records: Vec<AuditRecord>,
        confirmations: &Confirmations,
    ) -> TurnRecord {
        let first = messages.first().map(MessageEntry::time);
        let first = first.into_iter().chain(records.first().map(|record| record.entry.time)).min();
        let last = messages.last().map(MessageEntry::time);
        let mode = records.first().map_or(self.found.state.mode(), |record| record.entry.mode);
        let mut calls = self.calls(trace.as_ref(), &messages, &records);
        for call in &mut calls {
            call.confirmation = confirmations.get(&(turn, call.call_id.clone())).cloned();
        }
        let spans = trace.iter().flat_map(|trace| trace.spans.iter().map(SpanView::of)).collect();
        let usage = trace.as_ref().map(|trace| trace.usage).filter(|usage| *usage != (0, 0));
        TurnRecord {
            turn,
            mode: trace.as_ref().map_or(mode, |trace| trace.mode),
            started_at: trace.as_ref().map(|trace| trace.started_at).or(first),
            ended_at: trace.as_ref().map_or(last, |trace| trace.ended_at),
            source: if trace.is_some() { TurnSource::Live } else { TurnSource::Records },
            messages,
            calls,
            spans,
            context: None,
            usage: usage.map(|(input, output)| TurnUsage { input, output }),
        }
    }

    /// The calls of a turn, each once: in the order in which they were decided, then those that only the logs
    /// have.
    fn calls(
        &self,
        trace: Option<&TurnTrace>,
        messages: &[MessageEntry],
        records: &[AuditRecord],
    ) -> Vec<CallRecord> {
        let mut calls: Vec<CallRecord> = Vec::new();
        for traced in trace.iter().flat_map(|trace| &trace.calls) {
            let mut call = self.call(traced.decided.call_id.as_str(), &traced.decided.tool);
            call.add_trace(traced);
            calls.push(call);
        }
        let at = |calls: &mut Vec<CallRecord>, id: &str, tool: &str| {
            let found = calls.iter().rposition(|call| call.call_id == id);
            found.unwrap_or_else(|| {
                calls.push(self.call(id, tool));
                calls.len() - 1
            })
        };
        for (id, tool, args) in messages.iter().flat_map(MessageEntry::calls) {
            let index = at(&mut calls, id, tool);
            calls[index].args_sent = Some(args.clone());
        }
        for record in records {
            let index = at(&mut calls, record.entry.call_id.as_str(), &record.entry.tool_id);
            calls[index].add_record(record);
        }
        for (id, response) in messages.iter().flat_map(MessageEntry::answers) {
            let recorded = response.meta().call_id.as_str();
            let known = |id: &str| calls.iter().rposition(|call| call.call_id == id);
            if let Some(index) = known(recorded).or_else(|| known(id)) {
                calls[index].model_saw = Some(aileron_transports::model_view(response));
                calls[index].response = Some(json!(**response));
            }
        }
        calls
    }

    fn call(&self, id: &str, tool: &str) -> CallRecord {
        let spec = self.registry.as_ref().and_then(|registry| registry.tool(tool));
        let spec = spec.map(|tool| tool.spec());
        CallRecord {
            call_id: id.to_owned(),
            tool_id: tool.to_owned(),
            tool_version: spec.map(|spec| spec.version.to_string()),
            registry_version: self.found.registry_version.clone(),
            parent_call_id: parent(id),
            args_sent: None,
            args_used: None,
            clamped: Vec::new(),
            trail: Vec::new(),
            decided_at: None,
            started_at: None,
            finished_at: None,
            attempts: None,
            budget_ms: spec.map(|spec| spec.latency_budget_ms),
            over_budget: false,
            outcome: None,
            response: None,
            model_saw: None,
            confirmation: None,
            audit_seq: None,
        }
    }

    /// The context, if the conversation is in the memory of this process.
    fn context(&self, turn: u64) -> Option<TurnContext> {
        let conversation = self.app.orchestrator().opened(&self.id)?;
        let instructions = self.app.instructions(&conversation);
        let declarations = instructions.declarations(Provider::Openai);
        let declarations = declarations.iter().map(json_chars).sum();
        let trace = self.app.event_hub().traces().turn(&self.id, turn);
        let part =
            |part: &aileron_agent::Section| ContextPart { name: part.name, tokens: part.tokens() };
        Some(TurnContext {
            parts: instructions.parts().iter().map(part).collect(),
            instructions: instructions.text(),
            declarations: tokens(declarations),
            history: trace.and_then(|trace| trace.history_tokens),
        })
    }
}

/// The id of a nested call is that of its parent and a number.
fn parent(id: &str) -> Option<String> {
    let (parent, n) = id.rsplit_once('.')?;
    (!n.is_empty() && n.bytes().all(|byte| byte.is_ascii_digit())).then(|| parent.to_owned())
}
