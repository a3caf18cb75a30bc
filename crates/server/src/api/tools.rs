//! The tools: purpose, parameters, and declarations for each provider.

use aileron_capability::handler::{Quarantine, QuarantineScope};
use aileron_contract::artifact::{Handler, WorkerCode};
use aileron_contract::{Mode, Provider};
use aileron_runtime::{Registry, Tool};
use axum::extract::State;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::sync::Arc;

use super::request::{self, Path, Query};
use super::schema;
use crate::app::App;
use crate::error::ApiError;

/// Which tools, and with which declarations.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ToolsQuery {
    /// Only the tools that this mode allows.
    mode: Option<Mode>,
    /// With the declaration for this provider.
    provider: Option<Provider>,
    /// The tools of this loaded registry.
    registry: Option<String>,
}

/// In which registry to find a tool.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ToolQuery {
    registry: Option<String>,
}

/// The tools of the registry that new conversations use.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Tools {
    registry_version: String,
    tools: Vec<Summary>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Summary {
    id: String,
    version: String,
    description: String,
    summary: String,
    category: &'static str,
    side_effects: &'static str,
    idempotent: bool,
    #[schemars(schema_with = "schema::modes")]
    modes: Value,
    requires_confirmation: bool,
    latency_budget_ms: u64,
    /// The hash of everything the tool says and does.
    hash: String,
    /// The quarantine of the tool, if some of its calls are refused.
    #[serde(skip_serializing_if = "Option::is_none")]
    quarantine: Option<QuarantinedTool>,
    /// The declaration for the requested provider.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(default, schema_with = "schema::anything")]
    declaration: Option<Value>,
}

/// A quarantine: calls of the tool block threads of the server that cannot be freed.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct QuarantinedTool {
    /// The callers that are refused: "callers" (those whose calls hold a thread) or "everybody".
    scope: &'static str,
    threads_held: usize,
    /// When it ends at the latest, in milliseconds since the Unix epoch.
    until: u64,
    reason: String,
}

/// One tool with all details.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct ToolDetail {
    registry_version: String,
    /// The content of `schema.json`.
    #[schemars(schema_with = "schema::anything")]
    spec: Value,
    summary: String,
    /// The guide for the model.
    documentation: String,
    /// Its declaration for each provider.
    #[schemars(schema_with = "schema::anything")]
    declarations: Value,
    /// The hash of everything the tool says and does.
    hash: String,
    handler: HandlerView,
    /// The cases in its folder, where the server has its sources.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(default, schema_with = "schema::objects")]
    cases: Option<Vec<Value>>,
}

/// The code of a tool.
#[derive(Debug, Serialize, JsonSchema)]
struct HandlerView {
    /// `javascript` (sandboxed), `native`, `node` or `python`.
    kind: &'static str,
    /// Whether the code runs in a worker process with the rights of the server: nothing contains it.
    trusted: bool,
    /// The source files, below the folder of tools.
    files: Vec<String>,
    hash: String,
}

pub(super) async fn list(
    State(app): State<App>,
    Query(wanted): Query<ToolsQuery>,
) -> Result<axum::Json<Tools>, ApiError> {
    let registry = chosen(&app, wanted.registry.as_deref())?;
    let allowed =
        |tool: &&Arc<Tool>| wanted.mode.is_none_or(|mode| tool.spec().allowed_modes.contains(mode));
    let tools = registry.tools().iter().filter(allowed);
    let now = app.clock().now_ms();
    let tools = tools.map(|tool| summary(tool, wanted.provider, now)).collect();
    Ok(axum::Json(Tools { registry_version: registry.version().to_owned(), tools }))
}

pub(super) async fn show(
    State(app): State<App>,
    Path(id): Path<String>,
    Query(wanted): Query<ToolQuery>,
) -> Result<axum::Json<ToolDetail>, ApiError> {
    let registry = chosen(&app, wanted.registry.as_deref())?;
    let tool = registry.tool(&id).ok_or_else(|| unknown(&registry, &id))?;
    let artifact = tool.artifact().clone();
    Ok(axum::Json(ToolDetail {
        registry_version: registry.version().to_owned(),
        spec: json!(artifact.spec),
        summary: artifact.summary.clone(),
        documentation: artifact.documentation.clone(),
        declarations: json!(artifact.provider_schemas),
        hash: artifact.hash.to_string(),
        handler: handler(&artifact.handler),
        cases: cases(&app, id).await,
    }))
}

/// A loaded registry, or the one of new conversations.
fn chosen(app: &App, version: Option<&str>) -> Result<Arc<Registry>, ApiError> {
    match version {
        Some(version) => request::registry(app, version),
        None => request::current_registry(app),
    }
}

fn handler(handler: &Handler) -> HandlerView {
    match handler {
        Handler::Javascript { modules, hash, .. } => HandlerView {
            kind: "javascript",
            trusted: false,
            files: modules.keys().cloned().collect(),
            hash: hash.to_string(),
        },
        Handler::Native { hash } => HandlerView {
            kind: "native",
            trusted: false,
            files: Vec::new(),
            hash: hash.to_string(),
        },
        Handler::Node(code) => worker("node", code),
        Handler::Python(code) => worker("python", code),
    }
}

fn worker(kind: &'static str, code: &WorkerCode) -> HandlerView {
    let files = code.modules.keys().cloned().collect();
    HandlerView { kind, trusted: code.trusted, files, hash: code.hash.to_string() }
}

async fn cases(app: &App, tool: String) -> Option<Vec<Value>> {
    let authoring = app.authoring()?.clone();
    tokio::task::spawn_blocking(move || authoring.cases(&tool)).await.ok().flatten()
}

fn quarantined(quarantine: Quarantine, now: u64) -> QuarantinedTool {
    QuarantinedTool {
        scope: match quarantine.scope {
            QuarantineScope::Callers => "callers",
            QuarantineScope::Everybody => "everybody",
        },
        threads_held: quarantine.threads_held,
        until: now.saturating_add(quarantine.seconds_left() * 1000),
        reason: quarantine.to_string(),
    }
}

fn unknown(registry: &Registry, id: &str) -> ApiError {
    let closest = registry.closest(id);
    let message = match closest.first() {
        Some(alike) => format!("there is no such tool; did you mean `{alike}`?"),
        None => "there is no such tool; GET /v1/tools lists them".to_owned(),
    };
    ApiError::not_found(message).with("closest", json!(closest))
}

fn summary(tool: &Tool, provider: Option<Provider>, now: u64) -> Summary {
    let (spec, artifact) = (tool.spec(), tool.artifact());
    Summary {
        id: spec.tool_id.to_string(),
        version: spec.version.to_string(),
        description: spec.description.clone(),
        summary: artifact.summary.clone(),
        category: spec.category.as_str(),
        side_effects: spec.side_effects.as_str(),
        idempotent: spec.idempotent,
        modes: json!(spec.allowed_modes),
        requires_confirmation: spec.requires_confirmation,
        latency_budget_ms: spec.latency_budget_ms,
        hash: artifact.hash.to_string(),
        quarantine: tool.quarantine().map(|it| quarantined(it, now)),
        declaration: provider.and_then(|target| artifact.declaration(target)),
    }
}
