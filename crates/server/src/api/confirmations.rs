//! The person's answers to questions. They come with the person's credentials, never from the model.

use axum::extract::State;
use schemars::JsonSchema;
use serde::Deserialize;

use super::request::{Json, Path, open};
use super::view;
use crate::app::App;
use crate::door::Caller;
use crate::error::ApiError;

/// The person's answer.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Answer {
    approve: bool,
}

pub(super) async fn answer(
    State(app): State<App>,
    Caller(person): Caller,
    Path((id, token)): Path<(String, String)>,
    Json(answer): Json<Answer>,
) -> Result<axum::Json<view::Decided>, ApiError> {
    let conversation = open(&app, id, person.clone()).await?;
    let resolution = conversation.confirm(&token, answer.approve, &person).await?;
    Ok(axum::Json(resolution.into()))
}
