//! The registry that a new conversation would have and why, and reading the rules again.

use std::collections::BTreeMap;

use aileron_contract::{ConversationId, UserId};
use aileron_orchestrator::{NewConversation, OpenError, Person};
use axum::extract::State;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::request::Query;
use crate::app::App;
use crate::conversations::fresh_id;
use crate::error::{ApiError, ApiErrorCode};
use crate::registry_source::ReloadReport;
use crate::request_checks::Caller;
use crate::role::Role;

/// The person and the conversation; without `user`, the caller.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct NewcomerQuery {
    user: Option<String>,
    /// The conversation of an anonymous person, whose hash decides about a percentage.
    conversation: Option<String>,
    /// Claims of that person: `org=acme,plan=pro`.
    claims: Option<String>,
    /// Scopes of that person, separated by commas.
    scopes: Option<String>,
    /// The registry that the request would name.
    registry: Option<String>,
}

/// The registry of a new conversation.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct ExplanationView {
    registry: String,
    registry_version: String,
    reason: String,
    /// For operators and viewers: every rule up to the one that decides.
    #[serde(skip_serializing_if = "Option::is_none")]
    rules: Option<Vec<RuleCheckView>>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct RuleCheckView {
    /// Counted from one.
    number: usize,
    /// The rule in words.
    text: String,
    matches: bool,
    /// Why it matches or does not.
    why: String,
}

pub(super) async fn explain(
    State(app): State<App>,
    Caller(caller): Caller,
    Query(query): Query<NewcomerQuery>,
) -> Result<axum::Json<ExplanationView>, ApiError> {
    let role = Role::of(&app, &caller);
    let is_other = query.user.is_some() || query.claims.is_some() || query.scopes.is_some();
    let person = match is_other {
        true => role.require_all().and_then(|()| other(&query))?,
        false => caller,
    };
    let id = match &query.conversation {
        Some(id) => ConversationId::new(id.clone())
            .map_err(|error| ApiError::invalid(format!("`conversation`: {error}")))?,
        None => fresh_id()?,
    };
    let new = NewConversation { person: &person, id: &id, wanted: query.registry.as_deref() };
    let offered = app.orchestrator().offered();
    let (registry, assigned) = offered.assign(new).map_err(OpenError::RegistryRefused)?;
    let rules = role.require_all().is_ok().then(|| {
        let checks = offered.assignment.explain(new).checks.into_iter();
        let view = checks.map(|check| RuleCheckView {
            number: check.number,
            text: check.rule,
            matches: check.matches,
            why: check.why,
        });
        view.collect()
    });
    Ok(axum::Json(ExplanationView {
        registry: assigned.name,
        registry_version: registry.version().to_owned(),
        reason: assigned.reason,
        rules,
    }))
}

/// The person that the query describes.
fn other(query: &NewcomerQuery) -> Result<Person, ApiError> {
    let id = query.user.clone().map(UserId::new).transpose();
    let id = id.map_err(|error| ApiError::invalid(format!("`user`: {error}")))?;
    let mut claims = Map::new();
    for claim in query.claims.iter().flat_map(|text| text.split(',')) {
        let (name, value) = claim.split_once('=').ok_or_else(|| {
            ApiError::invalid(format!("`claims`: expected `name=value,...`, found {claim:?}"))
        })?;
        claims.insert(name.to_owned(), json!(value));
    }
    let scopes = query.scopes.iter().flat_map(|text| text.split(','));
    let scopes = scopes.filter(|scope| !scope.is_empty()).map(str::to_owned).collect();
    Ok(Person { id, scopes, claims, ..Person::default() })
}

/// The registries and rules after they were read again.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Reloaded {
    /// Each offered name with its version.
    registries: BTreeMap<String, String>,
    /// The number of rules.
    rules: usize,
    /// Whether a registry or a rule is different from before.
    changed: bool,
    /// Probable mistakes, such as a rule that matches nobody.
    warnings: Vec<String>,
}

pub(super) async fn reload(
    State(app): State<App>,
    Caller(person): Caller,
) -> Result<axum::Json<Reloaded>, ApiError> {
    Role::of(&app, &person).require_operator()?;
    let by = person.id.map_or_else(|| "this machine".to_owned(), |id| id.to_string());
    // A request that is broken off must not stop the change halfway.
    let reloading = tokio::spawn(async move { app.reload_registries(&by).await });
    let reloaded = reloading.await.map_err(|error| ApiError::unavailable(error.to_string()))?;
    let ReloadReport { registries, rules, changed, warnings } = reloaded.map_err(refused)?;
    Ok(axum::Json(Reloaded { registries, rules, changed, warnings }))
}

fn refused(faults: Vec<String>) -> ApiError {
    let message = format!("{}; the registries and rules stay as they were", faults.join("; "));
    ApiError::new(ApiErrorCode::ReloadRefused, message).with("faults", Value::from(faults))
}
