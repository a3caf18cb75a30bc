//! Conversations: start, list, show, move to the other mode, end.

use aileron_agent::TranscriptEntry;
use aileron_contract::text::ChatMessage;
use aileron_contract::{ConversationId, Mode, Provider};
use aileron_orchestrator::state::EndReason;
use aileron_orchestrator::{Conversation, OpenRequest, Person};
use aileron_store::{OwnerFilter, RecentCursor};
use aileron_telemetry::TurnEnd;
use axum::extract::State;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::request::{self, Json, Path, Query, glance, moved, visible};
use super::{schema, view};
use crate::app::App;
use crate::conversations::fresh_id;
use crate::error::ApiError;
use crate::metrics::ContextStart;
use crate::request_checks::Caller;
use crate::role::Role;
use crate::voice::{json_chars, tokens};

/// A conversation to start.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct CreateConversation {
    /// The mode of the conversation. It stays until it is moved.
    #[schemars(schema_with = "schema::mode")]
    mode: Mode,
    /// The provider whose declarations are returned; none without it.
    #[serde(default)]
    #[schemars(schema_with = "schema::provider_or_none")]
    provider: Option<Provider>,
    /// The name of the registry, where several are offered and a rule allows the person to ask for it.
    #[serde(default)]
    registry: Option<String>,
}

/// A conversation that was started, with the instructions for its model.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct ConversationCreated {
    #[serde(flatten)]
    conversation: view::ConversationView,
    /// The instructions, composed for this mode and these tools.
    instructions: String,
    /// The declarations of the tools, in the format of the provider.
    #[schemars(schema_with = "schema::anything")]
    tools: Vec<Value>,
}

pub(super) async fn begin(
    State(app): State<App>,
    Caller(person): Caller,
    Json(begin): Json<CreateConversation>,
) -> Result<Response, ApiError> {
    let id = fresh_id()?;
    let opening = OpenRequest { id: id.clone(), mode: begin.mode, person: person.clone() };
    let conversation = app.conversations().open_with(opening, begin.registry.as_deref()).await?;
    let begun = told(&app, &conversation, begin.provider, &person).await?;
    let place = format!("/v1/conversations/{id}");
    let mut response = (StatusCode::CREATED, axum::Json(begun)).into_response();
    if let Ok(place) = HeaderValue::from_str(&place) {
        response.headers_mut().insert(header::LOCATION, place);
    }
    Ok(response)
}

async fn told(
    app: &App,
    conversation: &Conversation,
    provider: Option<Provider>,
    person: &Person,
) -> Result<ConversationCreated, ApiError> {
    let instructions = app.instructions(conversation);
    let tools = provider.map(|target| instructions.declarations(target)).unwrap_or_default();
    let text = instructions.text();
    let start = ContextStart {
        instructions: tokens(text.chars().count()),
        declarations: tokens(tools.iter().map(json_chars).sum()),
        history: 0,
    };
    app.metrics().context.started(conversation.mode(), start);
    let conversation = glance(app, conversation.id(), person).await?.into();
    Ok(ConversationCreated { conversation, instructions: text, tools })
}

/// The page of the list.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ConversationsQuery {
    after: Option<String>,
    limit: Option<usize>,
    /// Everybody's, for operators and viewers.
    #[serde(default)]
    all: bool,
}

/// Some conversations, the one used last first.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct ConversationList {
    conversations: Vec<ListedConversation>,
    /// Give this as `after` to get the next page; absent on the last page.
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<String>,
}

/// A conversation in the list.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct ListedConversation {
    #[serde(flatten)]
    conversation: view::ConversationView,
    /// The first words of the person.
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    /// When it was last saved, in milliseconds since the Unix epoch.
    updated_at: u64,
}

/// Maximum number of characters of a title.
const MAX_TITLE: usize = 80;

/// How many messages are searched for the first one of the person.
const FIRST_MESSAGES: usize = 4;

/// Maximum number of conversations on a page.
const MAX_PAGE: usize = 100;

pub(super) async fn list(
    State(app): State<App>,
    Caller(person): Caller,
    Query(page): Query<ConversationsQuery>,
) -> Result<axum::Json<ConversationList>, ApiError> {
    let limit = request::page_size(page.limit, MAX_PAGE, MAX_PAGE)?;
    let after = page.after.as_deref().map(cursor).transpose()?;
    let role = Role::of(&app, &person);
    let owner = match page.all {
        true => role.require_all().map(|()| OwnerFilter::Everybody)?,
        false => OwnerFilter::Of(person.id.clone()),
    };
    // One more than is shown tells whether there is a next page.
    let found = app.store().conversations(&owner, after.as_ref(), limit + 1).await?;
    let shown = &found[..found.len().min(limit)];
    let mut conversations = Vec::with_capacity(shown.len());
    for summary in shown {
        // A conversation that cannot be read is reported when it is opened.
        let Ok(Some(snapshot)) = app.orchestrator().inspect(&summary.conversation).await else {
            continue;
        };
        conversations.push(ListedConversation {
            title: title(&app, &summary.conversation).await?,
            updated_at: summary.time,
            conversation: snapshot.into(),
        });
    }
    let next = shown.last().filter(|_| found.len() > limit);
    let next = next.map(|summary| format!("{}.{}", summary.time, summary.conversation));
    Ok(axum::Json(ConversationList { conversations, next }))
}

/// The position that `next` of a page names.
fn cursor(text: &str) -> Result<RecentCursor, ApiError> {
    let parts = text.split_once('.').filter(|_| request::is_printable(text));
    let position = parts.and_then(|(time, id)| {
        let conversation = ConversationId::new(id).ok()?;
        Some(RecentCursor { time: time.parse().ok()?, conversation })
    });
    position.ok_or_else(|| ApiError::invalid("`after`: expected the `next` of another page"))
}

/// The first words of the person in a conversation.
async fn title(app: &App, id: &ConversationId) -> Result<Option<String>, ApiError> {
    let entries = app.store().messages(id, FIRST_MESSAGES as u64 + 1, FIRST_MESSAGES).await?;
    let words = entries.iter().find_map(|entry| match TranscriptEntry::read(&entry.body) {
        Ok(TranscriptEntry::Said(said)) => match said.message {
            ChatMessage::Person { text } => Some(text),
            _ => None,
        },
        _ => None,
    });
    Ok(words.map(|text| match text.char_indices().nth(MAX_TITLE) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }))
}

pub(super) async fn show(
    State(app): State<App>,
    Caller(person): Caller,
    Path(id): Path<String>,
) -> Result<axum::Json<view::ConversationView>, ApiError> {
    let found = visible(&app, &request::id(id)?, &person).await?;
    Ok(axum::Json(found.into()))
}

/// The mode in which a conversation continues.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ModeChange {
    #[schemars(schema_with = "schema::mode")]
    mode: Mode,
}

pub(super) async fn move_to(
    State(app): State<App>,
    Caller(person): Caller,
    Path(id): Path<String>,
    Json(wanted): Json<ModeChange>,
) -> Result<axum::Json<view::ConversationView>, ApiError> {
    let conversation = moved(&app, id, wanted.mode, person.clone()).await?;
    if wanted.mode == Mode::Text {
        app.voice().end_for_chat(conversation.id()).await;
    }
    Ok(axum::Json(glance(&app, conversation.id(), &person).await?.into()))
}

/// Ends a conversation. Its records stay, and its id is never used again.
pub(super) async fn end(
    State(app): State<App>,
    Caller(person): Caller,
    Path(id): Path<String>,
) -> Result<StatusCode, ApiError> {
    let id = request::id(id)?;
    let ended = app.orchestrator().end(&id, &person, EndReason::Person).await?;
    ended
        .inspect(|()| {
            app.voice().end(&id);
            app.chat().iter().for_each(|chat| chat.stop(&id));
        })
        .inspect(|()| app.metrics().telemetry.turn_ended(&id, TurnEnd::Completed))
        .map(|()| StatusCode::NO_CONTENT)
        .ok_or_else(ApiError::no_conversation)
}
