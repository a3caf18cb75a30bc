//! The loaded registries, and the difference of two.

use aileron_contract::Artifact;
use aileron_contract::artifact::FORMAT_VERSION;
use aileron_orchestrator::assignment::Percent;
use aileron_orchestrator::{AssignmentRule, Offered};
use aileron_runtime::Registry;
use axum::extract::State;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

use super::request::{self, Path, Query};
use crate::app::App;
use crate::authoring::{ChangeKind, RegistryChange};
use crate::error::{ApiError, ApiErrorCode};
use crate::request_checks::Caller;
use crate::role::Role;

/// The loaded registries, and the rules by which new conversations get them.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Registries {
    registries: Vec<RegistryView>,
    /// For operators and viewers: the rules, the first that matches decides.
    #[serde(skip_serializing_if = "Option::is_none")]
    assignment: Option<AssignmentView>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct RegistryView {
    version: String,
    content_hash: String,
    /// Whether new conversations use it if no rule matches.
    current: bool,
    /// The names under which new conversations are offered it; none if only earlier conversations use it.
    names: Vec<String>,
    /// How many tools it has.
    tools: usize,
    /// For operators and viewers: how many conversations that have not ended began with it. At most 10 seconds
    /// old.
    #[serde(skip_serializing_if = "Option::is_none")]
    conversations: Option<u64>,
}

/// The rules of this moment.
#[derive(Debug, Serialize, JsonSchema)]
struct AssignmentView {
    rules: Vec<RuleView>,
    /// Probable mistakes, such as a rule that matches nobody.
    warnings: Vec<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct RuleView {
    /// Counted from one.
    number: usize,
    /// The name of the registry; absent for a rule that allows any.
    #[serde(skip_serializing_if = "Option::is_none")]
    registry: Option<String>,
    /// The part of those who meet the other conditions.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<f64>")]
    percent: Option<Percent>,
    /// Whether it is for requests that name the registry.
    requested: bool,
    /// The rule in words.
    text: String,
}

pub(super) async fn list(
    State(app): State<App>,
    Caller(person): Caller,
) -> Result<axum::Json<Registries>, ApiError> {
    let offered = app.orchestrator().offered();
    let current = request::current_registry(&app)?;
    let sees_all = Role::of(&app, &person).require_all().is_ok();
    let counts = match sees_all {
        true => Some(app.pinned_conversations().await?),
        false => None,
    };
    let view = |registry: Arc<Registry>| RegistryView {
        version: registry.version().to_owned(),
        content_hash: registry.content_hash().to_string(),
        current: registry.version() == current.version(),
        names: names_of(&offered, registry.version()),
        tools: registry.tools().len(),
        conversations: counts.as_ref().map(|it| it.get(registry.version()).copied().unwrap_or(0)),
    };
    let registries = app.orchestrator().registries().into_iter().map(view).collect();
    let assignment = sees_all.then(|| AssignmentView {
        rules: offered.assignment.rules().iter().enumerate().map(rule).collect(),
        warnings: app.registry_warnings(),
    });
    Ok(axum::Json(Registries { registries, assignment }))
}

fn names_of(offered: &Offered, version: &str) -> Vec<String> {
    let named = offered.registries.iter().filter(|(_, registry)| registry.version() == version);
    named.map(|(name, _)| name.clone()).collect()
}

fn rule((at, rule): (usize, &AssignmentRule)) -> RuleView {
    RuleView {
        number: at + 1,
        registry: Some(rule.registry.clone()).filter(|name| !name.is_empty()),
        percent: rule.percent,
        requested: rule.requested,
        text: rule.to_string(),
    }
}

/// The registry to compare with.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct DiffQuery {
    /// The registry of new conversations if absent.
    against: Option<String>,
}

/// The difference of two registries.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct RegistryDiff {
    /// The older one, `against` of the request.
    from: String,
    to: String,
    changes: Vec<ChangeView>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct ChangeView {
    tool_id: String,
    /// The promise that it concerns.
    #[serde(skip_serializing_if = "Option::is_none")]
    rule: Option<String>,
    kind: ChangeName,
    /// The version step that it needs.
    #[serde(skip_serializing_if = "Option::is_none")]
    step: Option<String>,
    message: String,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
enum ChangeName {
    /// It breaks a promise to callers.
    Breaking,
    /// It widens what a tool may do.
    Policy,
    Compatible,
    Added,
    Removed,
}

pub(super) async fn diff(
    State(app): State<App>,
    Path(version): Path<String>,
    Query(query): Query<DiffQuery>,
) -> Result<axum::Json<RegistryDiff>, ApiError> {
    let authoring = app.authoring().cloned().ok_or_else(|| {
        let message = "this server cannot compare registries; use `aileron diff`";
        ApiError::new(ApiErrorCode::NoSources, message)
    })?;
    let old = match &query.against {
        Some(against) => request::registry(&app, against)?,
        None => request::current_registry(&app)?,
    };
    let (new, from) = (request::registry(&app, &version)?, old.version().to_owned());
    let compared =
        tokio::task::spawn_blocking(move || authoring.compare(&artifact(&old), &artifact(&new)));
    let compared = compared.await.map_err(|error| ApiError::unavailable(error.to_string()))?;
    let changes = compared.into_iter().map(ChangeView::from).collect();
    Ok(axum::Json(RegistryDiff { from, to: version, changes }))
}

/// The artifact that a registry was loaded from, without its build time and commit.
fn artifact(registry: &Registry) -> Artifact {
    Artifact {
        version: registry.version().to_owned(),
        content_hash: registry.content_hash().clone(),
        format_version: FORMAT_VERSION,
        git_commit: None,
        build_timestamp: None,
        left_out: Vec::new(),
        tools: registry.tools().iter().map(|tool| tool.artifact().clone()).collect(),
    }
}

impl From<RegistryChange> for ChangeView {
    fn from(change: RegistryChange) -> Self {
        Self {
            tool_id: change.tool,
            rule: change.rule,
            kind: match change.kind {
                ChangeKind::Breaking => ChangeName::Breaking,
                ChangeKind::Policy => ChangeName::Policy,
                ChangeKind::Compatible => ChangeName::Compatible,
                ChangeKind::Added => ChangeName::Added,
                ChangeKind::Removed => ChangeName::Removed,
            },
            step: change.step,
            message: change.message,
        }
    }
}
