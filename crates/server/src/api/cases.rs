//! Saves a case of a tool where its sources are.

use aileron_contract::Mode;
use axum::extract::State;
use axum::http::StatusCode;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::request::{Json, Path};
use super::schema;
use crate::app::App;
use crate::authoring::SaveCaseError;
use crate::error::{ApiError, ApiErrorCode};
use crate::request_checks::Caller;
use crate::role::Role;

/// A case to save.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct NewCase {
    name: String,
    #[schemars(schema_with = "schema::anything")]
    args: Value,
    /// Every mode of the tool if absent.
    #[serde(default)]
    #[schemars(schema_with = "schema::mode_or_none")]
    mode: Option<Mode>,
    /// The expected envelope, or a part of it; `{"ok": true}` if absent.
    #[serde(default)]
    #[schemars(schema_with = "schema::anything")]
    expect: Option<Value>,
    /// The world of the case: records, events, answers of other hosts.
    #[serde(default)]
    #[schemars(schema_with = "schema::anything")]
    given: Option<Value>,
}

/// A case that was saved.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct SavedCase {
    /// The file it was added to.
    file: String,
    name: String,
}

const NO_SOURCES: &str = "this server has no folder with the sources of this tool; copy the case into `cases.json` \
                          of the tool";

pub(super) async fn save(
    State(app): State<App>,
    Caller(person): Caller,
    Path(tool): Path<String>,
    Json(case): Json<NewCase>,
) -> Result<(StatusCode, axum::Json<SavedCase>), ApiError> {
    Role::of(&app, &person).require_operator()?;
    let no_sources = || ApiError::new(ApiErrorCode::NoSources, NO_SOURCES);
    let authoring = app.authoring().filter(|it| it.can_save_cases()).cloned();
    let authoring = authoring.ok_or_else(no_sources)?;
    let name = case.name.clone();
    let mut body = json!({ "name": case.name, "args": case.args });
    body["expect"] = case.expect.unwrap_or_else(|| json!({ "ok": true }));
    for (key, value) in [("mode", case.mode.map(|mode| json!(mode))), ("given", case.given)] {
        if let Some(value) = value {
            body[key] = value;
        }
    }
    let saved = tokio::task::spawn_blocking(move || authoring.save_case(&tool, body)).await;
    let saved = saved.map_err(|error| ApiError::unavailable(error.to_string()))?;
    let file = saved.map_err(|error| match error {
        SaveCaseError::NoSources => no_sources(),
        SaveCaseError::Invalid(why) => ApiError::invalid(why),
        SaveCaseError::Io(why) => ApiError::unavailable(why),
    })?;
    Ok((StatusCode::CREATED, axum::Json(SavedCase { file, name })))
}
