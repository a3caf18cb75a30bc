//! Turns: begin one with an input of the person, and interrupt the calls of one.

use aileron_contract::{CallId, Mode};
use aileron_orchestrator::{OpenError, TurnInput};
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::request::{self, Json, MAX_EXACT, Path, Printable, open};
use super::{schema, view};
use crate::app::App;
use crate::error::ApiError;
use crate::request_checks::Caller;

/// The input of the person that begins a turn.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(tag = "input", rename_all = "camelCase", deny_unknown_fields)]
pub(super) enum BeginTurn {
    /// The person typed or clicked. That never approves a confirmation.
    Written {
        /// The text. One that declines the open confirmation closes it.
        #[serde(default)]
        text: Option<String>,
    },
    /// The person spoke. In a voice conversation the text may answer the open confirmation.
    #[serde(rename_all = "camelCase")]
    Spoken {
        /// The transcript of the person's speech, never of the model's.
        text: String,
        /// When the person began to speak, in milliseconds since the Unix epoch; the current time if absent.
        #[serde(default, deserialize_with = "request::whole")]
        #[schemars(range(max = MAX_EXACT))]
        began_ms: Option<u64>,
    },
}

/// A turn that has begun.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct TurnResponse {
    turn: u64,
    /// A message that a tool left for the model in this turn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pending_message: Option<String>,
    /// The confirmations that were resolved.
    questions: Vec<view::ConfirmationDecision>,
    /// The results of tasks that the model was not given, by the ids of their calls. Each is given once.
    tasks: Vec<view::CallAnswer>,
}

pub(super) async fn begin(
    State(app): State<App>,
    Caller(person): Caller,
    Path(id): Path<String>,
    Json(begin): Json<BeginTurn>,
) -> Result<Response, ApiError> {
    let conversation = open(&app, id, person).await?;
    let input = match begin {
        BeginTurn::Written { text: Some(text) } => TurnInput::Typed { text },
        BeginTurn::Written { text: None } => TurnInput::Written,
        BeginTurn::Spoken { .. } if conversation.mode() == Mode::Text => {
            return Err(OpenError::OtherMode { held_in: Mode::Text }.into());
        }
        BeginTurn::Spoken { text, began_ms } => {
            TurnInput::Spoken { text, began_ms: began_ms.unwrap_or_else(|| app.clock().now_ms()) }
        }
    };
    let start = conversation.begin_turn(input).await?;
    let (telemetry, mode) = (&app.metrics().telemetry, conversation.mode());
    telemetry.turn_began(conversation.id(), start.turn, mode);
    let told = start.task_results.iter().map(|late| &*late.answer);
    conversation.mark_told(told).await?;
    let begun = TurnResponse {
        turn: start.turn,
        pending_message: start.pending_message,
        questions: start.resolutions.into_iter().map(view::ConfirmationDecision::from).collect(),
        tasks: start.task_results.into_iter().map(view::CallAnswer::from).collect(),
    };
    Ok((StatusCode::CREATED, axum::Json(begun)).into_response())
}

/// The calls to cancel.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Interrupt {
    /// The calls to cancel. Without them the person has barged in, which interrupts all running calls.
    #[serde(default)]
    #[schemars(schema_with = "schema::call_ids")]
    calls: Option<Vec<Printable>>,
}

pub(super) async fn interrupt(
    State(app): State<App>,
    Caller(person): Caller,
    Path(id): Path<String>,
    Json(interrupt): Json<Interrupt>,
) -> Result<StatusCode, ApiError> {
    let conversation = open(&app, id, person).await?;
    match interrupt.calls {
        Some(calls) => {
            let calls: Vec<CallId> = calls.into_iter().map(|call| call.0).collect();
            conversation.cancel(&calls);
        }
        None => conversation.interrupt(),
    }
    Ok(StatusCode::NO_CONTENT)
}
