//! The person's answers to questions. They come with the person's credentials, never from the model.

use aileron_agent::Decision;
use aileron_orchestrator::OpenRequest;
use axum::extract::State;
use schemars::JsonSchema;
use serde::Deserialize;

use super::request::{self, Json, Path, glance};
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
    let id = request::id(id)?;
    let mode = glance(&app, &id, &person).await?.state.mode();
    let opening = OpenRequest { id, mode, person: person.clone() };
    let conversation = match app.find(opening.clone()).await {
        Ok(conversation) => conversation,
        Err(refused) => {
            let decision = Decision { token, approve: answer.approve };
            app.decided_outside(&refused, opening, std::iter::once(&decision)).await;
            return Err(refused.into());
        }
    };
    let resolution = conversation.confirm(&token, answer.approve, &person).await?;
    Ok(axum::Json(resolution.into()))
}
