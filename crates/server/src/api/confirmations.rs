//! The person's confirmations: lists them over all conversations, and takes the answers. An answer comes with
//! the person's credentials, never from the model.

use aileron_contract::{ConversationId, ErrorType};
use aileron_orchestrator::{
    AnswerChannel, ApprovedEnd, ConfirmationOutcome, ConfirmationStatus, ListedConfirmation,
    OpenRequest, Person,
};
use aileron_store::ConfirmationFilter;
use axum::extract::State;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::request::{self, Json, Path, Query, glance};
use super::{schema, view};
use crate::app::App;
use crate::error::ApiError;
use crate::request_checks::Caller;
use crate::role::Role;

/// Which confirmations.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ConfirmationsQuery {
    #[serde(default)]
    state: ListedState,
    conversation: Option<String>,
    before: Option<u64>,
    limit: Option<usize>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
enum ListedState {
    #[default]
    Open,
    Decided,
}

/// A page of confirmations. Open ones begin with the one that expires first, decided ones with the latest.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct ConfirmationList {
    confirmations: Vec<ConfirmationView>,
    /// Give this as `before` to get earlier decisions; absent on the last page.
    #[serde(skip_serializing_if = "Option::is_none")]
    before: Option<u64>,
    /// How many are open.
    open: usize,
}

/// A confirmation. Fields that its tool redacts are removed.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct ConfirmationView {
    id: String,
    conversation_id: String,
    /// The person who is asked; `null` where people do not sign in.
    user: Option<String>,
    /// Whether you are that person.
    mine: bool,
    /// The id that the model gave its call.
    call_id: String,
    tool_id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    registry_version: Option<String>,
    turn: u64,
    #[schemars(schema_with = "schema::anything")]
    args: Value,
    preview: String,
    /// Milliseconds since the Unix epoch.
    asked_at: u64,
    /// Milliseconds since the Unix epoch.
    expires: u64,
    state: ConfirmationState,
    /// Answers the confirmation: `POST /v1/conversations/{conversationId}/confirmations/{token}`. Present while it
    /// is open and only for the person who is asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    token: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    decision: Option<DecisionView>,
    /// The result of the call, if it was approved and its end is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    led: Option<LedView>,
}

#[derive(Debug, Clone, Copy, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
enum ConfirmationState {
    Open,
    Approved,
    Declined,
    Expired,
    Superseded,
}

/// How a confirmation was decided.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct DecisionView {
    /// Milliseconds since the Unix epoch.
    at: u64,
    /// The person who decided; `null` if they did not sign in, or nobody decided.
    by: Option<String>,
    /// `click`, `http`, `speech`, `text`, `timeout`, `replaced` (by a newer confirmation) or `end` (of the
    /// conversation).
    channel: &'static str,
}

/// The result of an approved call.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct LedView {
    ok: bool,
    /// The call was begun by a process that died: whether it took effect is unknown.
    outcome_unknown: bool,
    /// The type of its error.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'static str>,
    /// Milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    duration: Option<u64>,
    /// The id under which the call is in the audit log.
    #[serde(skip_serializing_if = "Option::is_none")]
    call_id: Option<String>,
}

/// Maximum number of confirmations on a page.
pub(super) const MAX_PAGE: usize = 200;

/// Replaces a preview that may quote redacted fields, for everybody but the person.
const HIDDEN_PREVIEW: &str = "The preview may quote fields that the tool redacts.";

pub(super) async fn list(
    State(app): State<App>,
    Caller(person): Caller,
    Query(query): Query<ConfirmationsQuery>,
) -> Result<axum::Json<ConfirmationList>, ApiError> {
    let limit = request::page_size(query.limit, MAX_PAGE, MAX_PAGE)?;
    let role = Role::of(&app, &person);
    request::exact("before", query.before)?;
    let conversation = query.conversation.map(ConversationId::new).transpose();
    let conversation = conversation.map_err(|error| ApiError::invalid(error.to_string()))?;
    let filter = ConfirmationFilter { owner: role.visible(&person), conversation };
    let orchestrator = app.orchestrator();
    let open = orchestrator.open_confirmations(&filter, MAX_PAGE).await?;
    let open_count = open.len();
    let (listed, before) = match query.state {
        ListedState::Open => (open, None),
        ListedState::Decided => {
            let before = query.before.unwrap_or_else(|| app.clock().now_ms().saturating_add(1));
            let listed = orchestrator.decided_confirmations(&filter, before, limit).await?;
            let before = (listed.len() == limit).then(|| listed.last().and_then(decided_at));
            (listed, before.flatten())
        }
    };
    let view = |one| ConfirmationView::of(one, &person, role);
    let confirmations = listed.into_iter().take(limit).map(view).collect();
    Ok(axum::Json(ConfirmationList { confirmations, before, open: open_count }))
}

fn decided_at(listed: &ListedConfirmation) -> Option<u64> {
    match listed.status {
        ConfirmationStatus::Open => None,
        ConfirmationStatus::Decided { at, .. } => Some(at),
    }
}

impl ConfirmationView {
    pub(super) fn of(listed: ListedConfirmation, person: &Person, role: Role) -> Self {
        let mine = listed.user == person.id;
        let is_open = listed.status == ConfirmationStatus::Open;
        let may_answer = mine && is_open && role.require_acting().is_ok();
        let (state, decision) = match listed.status {
            ConfirmationStatus::Open => (ConfirmationState::Open, None),
            ConfirmationStatus::Decided { how, channel, by, at } => {
                let state = match how {
                    ConfirmationOutcome::Approved => ConfirmationState::Approved,
                    ConfirmationOutcome::Declined => ConfirmationState::Declined,
                    ConfirmationOutcome::Expired => ConfirmationState::Expired,
                    ConfirmationOutcome::Superseded => ConfirmationState::Superseded,
                };
                let by = by.map(|by| by.to_string());
                (state, Some(DecisionView { at, by, channel: channel.as_str() }))
            }
        };
        let led = listed.end.as_ref().map(LedView::of);
        Self {
            id: listed.id,
            conversation_id: listed.conversation.to_string(),
            user: listed.user.map(|user| user.to_string()),
            mine,
            call_id: listed.call_id.to_string(),
            tool_id: listed.tool_id,
            registry_version: listed.registry_version,
            turn: listed.turn,
            args: listed.args,
            preview: match mine || !listed.hides_fields {
                true => listed.preview,
                false => HIDDEN_PREVIEW.to_owned(),
            },
            asked_at: listed.asked_ms,
            expires: listed.expires,
            state,
            token: may_answer.then_some(listed.token),
            decision,
            led,
        }
    }
}

impl LedView {
    fn of(end: &ApprovedEnd) -> Self {
        let ApprovedEnd::Answered(answer) = end else {
            let error = Some(ErrorType::OutcomeUnknown.as_str());
            return Self { ok: false, outcome_unknown: true, error, duration: None, call_id: None };
        };
        let (meta, kind) = (answer.meta(), answer.failure().map(|failure| failure.kind));
        Self {
            ok: kind.is_none(),
            outcome_unknown: kind == Some(ErrorType::OutcomeUnknown),
            error: kind.map(ErrorType::as_str),
            duration: Some(meta.duration),
            call_id: Some(meta.call_id.to_string()),
        }
    }
}

/// The person's answer.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ConfirmationBody {
    approve: bool,
    /// How the person gave it, for the list of decisions.
    #[serde(default)]
    #[schemars(default)]
    channel: GivenChannel,
}

#[derive(Debug, Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
enum GivenChannel {
    /// A program sent it.
    #[default]
    Http,
    /// The person clicked.
    Click,
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
    let conversation = app.conversations().find(opening).await?;
    let channel = match answer.channel {
        GivenChannel::Http => AnswerChannel::Http,
        GivenChannel::Click => AnswerChannel::Click,
    };
    let resolution = conversation.confirm_through(channel, &token, answer.approve, &person).await?;
    Ok(axum::Json(resolution.into()))
}
