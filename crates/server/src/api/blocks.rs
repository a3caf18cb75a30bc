//! Blocks: lists them for operators and viewers, lifts them for operators.

use aileron_contract::UserId;
use aileron_orchestrator::blocks::{self, LiftResult};
use aileron_store::Block;
use axum::extract::State;
use axum::http::StatusCode;
use schemars::JsonSchema;
use serde::Serialize;

use super::request::Path;
use crate::app::App;
use crate::error::ApiError;
use crate::event_hub::EventContent;
use crate::request_checks::Caller;
use crate::role::Role;

/// The people who are blocked.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Blocks {
    blocks: Vec<BlockedPerson>,
}

/// A person who is blocked.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct BlockedPerson {
    /// `local` is the person at this machine, where people do not sign in.
    user: String,
    /// Milliseconds since the Unix epoch.
    until: u64,
    left_ms: u64,
}

pub(super) async fn list(
    State(app): State<App>,
    Caller(person): Caller,
) -> Result<axum::Json<Blocks>, ApiError> {
    Role::of(&app, &person).require_all()?;
    let now = app.clock().now_ms();
    let blocked = |Block { user, until }: Block| {
        let user = user.to_string();
        BlockedPerson { user, until, left_ms: until.saturating_sub(now) }
    };
    let blocks = app.store().blocks(now).await?.into_iter().map(blocked).collect();
    Ok(axum::Json(Blocks { blocks }))
}

pub(super) async fn lift(
    State(app): State<App>,
    Caller(person): Caller,
    Path(user): Path<String>,
) -> Result<StatusCode, ApiError> {
    Role::of(&app, &person).require_operator()?;
    let user = UserId::new(user).map_err(|error| ApiError::invalid(error.to_string()))?;
    let now = app.clock().now_ms();
    match blocks::lift(&**app.store(), &user, person.id.as_ref(), now).await? {
        LiftResult::From { .. } => {
            app.event_hub().publish(None, EventContent::Unblocked { user });
            Ok(StatusCode::NO_CONTENT)
        }
        LiftResult::NotBlocked => {
            Err(ApiError::not_found("nobody of this id is blocked; GET /v1/blocks lists who is"))
        }
    }
}
