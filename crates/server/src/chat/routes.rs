//! The routes of chat: take a request, stream its answer, resume a stream, stop an answer.

use std::sync::Arc;

use aileron_contract::{ConversationId, Mode};
use aileron_orchestrator::{OpenError, OpenRequest, Person};
use axum::Router;
use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use futures_util::StreamExt;

use super::active_streams::{self, AnswerReader, ResumableStream};
use super::encode::{Encoder, StreamStart};
use super::meter::Meter;
use super::path::PATH;
use super::request::{ChatInput, ChatRequest, Delivery};
use super::respond;
use super::service::Chat;
use super::tracer::TurnTracer;
use crate::app::App;
use crate::content_type;
use crate::conversations::{Lease, NotOpened};
use crate::error::{ApiError, ApiErrorCode};
use crate::refusal_format::RefusalFormat;
use crate::request_checks::Caller;

const NOT_THERE: &str = "there is no such conversation; begin another one";

/// The routes of chat.
pub(crate) fn routes() -> Router<App> {
    Router::new().route(PATH, post(chat)).route("/api/chat/{id}/stream", get(resume).delete(stop))
}

async fn chat(State(app): State<App>, caller: Caller, headers: HeaderMap, body: Bytes) -> Response {
    let asked = content_type::expect_json(&headers).and_then(|()| ChatRequest::read(&body));
    let delivery = asked.as_ref().map_or_else(|_| Delivery::peek(&body), |ask| ask.delivery);
    let form = match delivery {
        Delivery::Stream => RefusalFormat::of(PATH, &headers),
        Delivery::Whole => RefusalFormat::Json,
    };
    drop(body);
    let answered = match asked {
        Ok(ask) => answer(&app, caller.0, ask).await,
        Err(error) => Err(error),
    };
    answered.unwrap_or_else(|error| form.refusal(error))
}

async fn answer(app: &App, person: Person, ask: ChatRequest) -> Result<Response, ApiError> {
    let chat = app.chat().ok_or_else(no_model)?;
    let delivery = ask.delivery;
    if ask.input == ChatInput::TaskResults && !follow_up_is_due(app, &ask, &person).await? {
        return Ok(StatusCode::NO_CONTENT.into_response());
    }
    let reader = begin(app, chat, ask, person).await?;
    match delivery {
        Delivery::Stream => Ok(respond::stream(reader)),
        Delivery::Whole => respond::whole(reader).await,
    }
}

/// Whether the settings allow a follow-up, and there are results that the model does not have.
async fn follow_up_is_due(app: &App, ask: &ChatRequest, person: &Person) -> Result<bool, ApiError> {
    if !app.orchestrator().config().tasks.follow_up {
        return Ok(false);
    }
    Ok(!open(app, ask, person).await?.task_results().await.is_empty())
}

fn no_model() -> ApiError {
    let message = "no text model is configured; set [text] in aileron.toml";
    ApiError::new(ApiErrorCode::NoModel, message)
}

/// Opens the conversation and begins the turn. A task writes the answer from here on.
async fn begin(
    app: &App,
    chat: &Chat,
    ask: ChatRequest,
    person: Person,
) -> Result<AnswerReader, ApiError> {
    let conversation = open(app, &ask, &person).await?;
    app.voice().end_for_chat(&ask.id).await;
    chat.active_streams.wait_until_ended(&ask.id).await?;
    let watch = app.event_hub().subscribe(&ask.id).into_stream().boxed();
    let start = StreamStart::of(&ask, &conversation, chat.provider());
    let turn = match ask.input {
        ChatInput::Confirmations(_) | ChatInput::TaskResults => conversation.turn(),
        ChatInput::Message(_) | ChatInput::Edit(_) | ChatInput::Regenerate(_) => {
            conversation.turn() + 1
        }
    };
    let meter = Meter::begin(app.metrics(), (chat.provider(), chat.model()), &conversation, turn);
    let (agent, by) = (&chat.agent, person.clone());
    let answering = match ask.input {
        ChatInput::Message(words) => agent.say(&conversation, words, watch).await?,
        ChatInput::Edit(words) => agent.edit_message(&conversation, words, by, watch).await?,
        ChatInput::Regenerate(words) => agent.regenerate(&conversation, words, by, watch).await?,
        ChatInput::Confirmations(decisions) => {
            let decisions = decisions.each.into_iter().map(|(decision, _)| decision).collect();
            agent.confirm(&conversation, decisions, by, watch).await?
        }
        ChatInput::TaskResults => agent.follow_up(&conversation, watch).await?,
    };
    let tracer = TurnTracer::new(app.event_hub(), &ask.id, &person);
    let reader = chat.active_streams.begin(&ask.id, (person, ask.delivery), chat.options);
    let takers = (Encoder::new(start), meter, tracer);
    let (active_streams, end) = (chat.active_streams.clone(), app.time_is_up().clone());
    let stream = reader.stream.clone();
    let written =
        active_streams::pump(active_streams, stream, answering, takers, conversation, end);
    drop(tokio::spawn(written));
    Ok(reader)
}

async fn open(app: &App, ask: &ChatRequest, person: &Person) -> Result<Lease, ApiError> {
    let opening = OpenRequest { id: ask.id.clone(), mode: Mode::Text, person: person.clone() };
    let opened = match &ask.input {
        ChatInput::Message(_) | ChatInput::Edit(_) | ChatInput::Regenerate(Some(_)) => {
            app.conversations().open_with(opening, ask.registry.as_deref()).await
        }
        // Only a message can start a conversation.
        ChatInput::Confirmations(_) | ChatInput::Regenerate(None) | ChatInput::TaskResults => {
            app.conversations().find(opening).await
        }
    };
    opened.map_err(not_opened)
}

/// The message for a page, which starts a conversation by sending a message.
fn not_opened(error: NotOpened) -> ApiError {
    match error {
        NotOpened::NotThere | NotOpened::Refused(OpenError::NotOwner) => {
            ApiError::not_found(NOT_THERE)
        }
        NotOpened::Refused(_) | NotOpened::TooMany { .. } => error.into(),
    }
}

/// Streams an answer in progress from its beginning, as front ends request after an interrupted stream.
async fn resume(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Response {
    match running(&app, &caller, id) {
        Ok(Some(live)) => respond::stream(live.reader()),
        Ok(None) => StatusCode::NO_CONTENT.into_response(),
        Err(error) => RefusalFormat::of(PATH, &headers).refusal(error),
    }
}

/// Stops an answer in progress.
async fn stop(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Response {
    match running(&app, &caller, id) {
        Ok(live) => {
            live.iter().for_each(|live| live.stop());
            StatusCode::NO_CONTENT.into_response()
        }
        Err(error) => RefusalFormat::of(PATH, &headers).refusal(error),
    }
}

/// The answer in progress of a conversation, if the caller started it.
fn running(
    app: &App,
    caller: &Caller,
    id: String,
) -> Result<Option<Arc<ResumableStream>>, ApiError> {
    let chat = app.chat().ok_or_else(no_model)?;
    let id = ConversationId::new(id).map_err(|error| ApiError::invalid(error.to_string()))?;
    Ok(chat.active_streams.find(&id).filter(|live| live.is_of(&caller.0)))
}
