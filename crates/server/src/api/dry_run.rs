//! Decisions without calls: a dry run of calls, and a replay of recorded ones against another registry.

use aileron_contract::{CallId, ConversationId, Mode, ToolCall};
use aileron_orchestrator::replay::replay;
use aileron_orchestrator::{NewConversation, OpenError, OpenRequest};
use aileron_store::{AuditFilter, OwnerFilter};
use axum::extract::State;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::native::{MAX_CALLS, arguments};
use super::request::{self, Json, MAX_EXACT, Path, visible};
use super::{audit, schema};
use crate::app::App;
use crate::conversations::fresh_id;
use crate::error::ApiError;
use crate::request_checks::Caller;

/// Calls of one message that are decided about and not made.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct DryRun {
    #[schemars(schema_with = "schema::mode")]
    mode: Mode,
    #[schemars(length(min = 1, max = MAX_CALLS))]
    calls: Vec<DryCall>,
    /// The conversation in which they would be made; without it, a new one.
    #[serde(default)]
    conversation_id: Option<String>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct DryCall {
    tool_id: String,
    #[serde(default)]
    #[schemars(schema_with = "schema::anything")]
    args: Option<Box<RawValue>>,
}

/// The decisions, in the order of the calls.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Decisions {
    registry_version: String,
    /// Each with `decision` (`run`, `ask`, `refuse`, `hold`, `replay`) and `trail`; `args` and `clamped` of a
    /// call that would run, `preview` of a confirmation, `policy` and `error` of a refusal.
    #[schemars(schema_with = "schema::decisions")]
    calls: Vec<Value>,
}

pub(super) async fn decide(
    State(app): State<App>,
    Caller(person): Caller,
    Json(dry_run): Json<DryRun>,
) -> Result<axum::Json<Decisions>, ApiError> {
    let count = dry_run.calls.len();
    if !(1..=MAX_CALLS).contains(&count) {
        return Err(ApiError::invalid(format!("expected 1 to {MAX_CALLS} calls, found {count}")));
    }
    let (id, registry_version) = match dry_run.conversation_id {
        Some(id) => {
            let id = request::id(id)?;
            let found = request::glance(&app, &id, &person).await?;
            (id, found.registry_version)
        }
        None => {
            let id = fresh_id()?;
            let new = NewConversation { person: &person, id: &id, wanted: None };
            let assigned = app.orchestrator().offered().assign(new);
            let (registry, _) = assigned.map_err(OpenError::RegistryRefused)?;
            (id, registry.version().to_owned())
        }
    };
    let calls = dry_run.calls.into_iter().enumerate().map(|(n, call)| {
        let call_id = CallId::new(format!("dry-run-{}", n + 1));
        let call_id = call_id.map_err(|error| ApiError::invalid(error.to_string()))?;
        Ok(ToolCall { call_id, tool_id: call.tool_id, args: arguments(call.args.as_deref()) })
    });
    let calls = calls.collect::<Result<Vec<_>, ApiError>>()?;
    let opening = OpenRequest { id, mode: dry_run.mode, person };
    let decided = app.orchestrator().dry_run(&opening, calls).await?;
    let calls = decided.iter().map(|call| json!(call)).collect();
    Ok(axum::Json(Decisions { registry_version, calls }))
}

/// The registry whose decisions are wanted.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct ReplayRequest {
    /// The registry of new conversations if absent.
    #[serde(default)]
    registry_version: Option<String>,
    /// Only the calls of this turn are returned.
    #[serde(default, deserialize_with = "request::whole")]
    #[schemars(range(max = MAX_EXACT))]
    turn: Option<u64>,
}

/// The recorded calls, each with the decision then and now.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct ReplayReport {
    /// The registry the conversation was held with.
    then: String,
    /// The registry of the replay.
    now: String,
    calls: Vec<ReplayCall>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct ReplayCall {
    call_id: String,
    tool_id: String,
    turn: u64,
    then: String,
    now: String,
    same: bool,
    /// Whether the record contains all facts that the decision needs.
    certain: bool,
    /// Why the replayed decision may be wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<String>,
}

/// How many records are replayed at most, the newest.
const MAX_RECORDS: usize = 2000;

pub(super) async fn again(
    State(app): State<App>,
    Caller(person): Caller,
    Path(id): Path<String>,
    Json(wanted): Json<ReplayRequest>,
) -> Result<axum::Json<ReplayReport>, ApiError> {
    let id: ConversationId = request::id(id)?;
    visible(&app, &id, &person).await?;
    let registry = match &wanted.registry_version {
        Some(version) => request::registry(&app, version)?,
        None => request::current_registry(&app)?,
    };
    audit::write_pending(&app).await;
    let filter = AuditFilter { conversation: Some(id), ..AuditFilter::default() };
    let records =
        audit::newest(&app, filter, OwnerFilter::Everybody, u64::MAX, MAX_RECORDS).await?;
    let config = app.orchestrator().config().clone();
    let replayed = tokio::task::spawn_blocking(move || replay(records, registry, &config)).await;
    let replayed = replayed.map_err(|error| ApiError::unavailable(error.to_string()))?;
    let replayed = replayed.map_err(|error| ApiError::invalid(error.to_string()))?;
    let calls = replayed.calls.iter().filter(|call| wanted.turn.is_none_or(|it| it == call.turn));
    let calls = calls.map(|call| ReplayCall {
        call_id: call.call_id.to_string(),
        tool_id: call.tool_id.clone(),
        turn: call.turn,
        then: call.then.to_string(),
        now: call.now.to_string(),
        same: !call.differs,
        certain: call.doubts.is_empty(),
        why: (!call.doubts.is_empty()).then(|| call.doubts.join("; ")),
    });
    let calls = calls.collect();
    Ok(axum::Json(ReplayReport { then: replayed.then, now: replayed.now, calls }))
}
