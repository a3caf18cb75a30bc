//! The person's answers to confirmations. They come with the person's credentials, never from the model.

use aileron_agent::ConfirmationAnswer;
use aileron_orchestrator::OpenRequest;
use axum::extract::State;
use schemars::JsonSchema;
use serde::Deserialize;

use super::request::{self, Json, Path, glance};
use super::view;
use crate::app::App;
use crate::error::ApiError;
use crate::request_checks::Caller;

/// The person's answer.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ConfirmationBody {
    approve: bool,
}

pub(super) async fn answer(
    State(app): State<App>,
    Caller(person): Caller,
    Path((id, token)): Path<(String, String)>,
    Json(answer): Json<ConfirmationBody>,
) -> Result<axum::Json<view::ConfirmationDecision>, ApiError> {
    let id = request::id(id)?;
    let mode = glance(&app, &id, &person).await?.state.mode();
    let opening = OpenRequest { id, mode, person: person.clone() };
    let conversation = match app.conversations().find(opening.clone()).await {
        Ok(conversation) => conversation,
        Err(refused) => {
            let decision = ConfirmationAnswer { token, approve: answer.approve };
            app.conversations()
                .confirm_while_blocked(&refused, opening, std::iter::once(&decision))
                .await;
            return Err(refused.into());
        }
    };
    let resolution = conversation.confirm(&token, answer.approve, &person).await?;
    Ok(axum::Json(resolution.into()))
}
