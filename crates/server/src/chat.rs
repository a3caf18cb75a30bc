//! Chat: the stream that chat front ends read, and what they send.
//!
//! A front end sends its whole history; only its last message is looked at. What was said before is
//! the server's own, what is answered once more are its own words, and what the person approves is
//! the server's question, found by its token.

mod active_streams;
mod chunk;
mod encode;
mod message;
mod meter;
mod request;
mod respond;

use std::sync::Arc;
use std::time::Duration;

use aileron_agent::Agent;
use aileron_contract::{ConversationId, Mode};
use aileron_orchestrator::{OpenError, OpenRequest, Person};
use axum::Router;
use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use futures_util::StreamExt;

use self::active_streams::{ActiveStreams, ResumableStream};
use self::encode::{Encoder, StreamStart};
use self::meter::Meter;
use self::request::{ChatInput, ChatRequest, Delivery};
use crate::app::App;
use crate::content_type;
use crate::conversations::{Lease, NotOpened};
use crate::error::{ApiError, ApiErrorCode};
use crate::form::RefusalFormat;
use crate::request_checks::Caller;

const PATH: &str = "/api/chat";

const NOT_THERE: &str = "there is no such conversation; begin another one";

/// The numbers of chat.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChatOptions {
    /// How long an answer goes on that nobody reads, so that a broken stream can be resumed.
    pub resume_within: Duration,
    /// How long a reader may leave what was sent to them before they count as gone.
    pub stalled_after: Duration,
}

impl Default for ChatOptions {
    fn default() -> Self {
        Self { resume_within: Duration::from_secs(10), stalled_after: Duration::from_secs(30) }
    }
}

/// The agent that chat is held with, and the answers that are under way.
#[derive(Debug)]
pub struct Chat {
    agent: Agent,
    /// Who answers, for the page: `offline`, `gemini`.
    provider: String,
    options: ChatOptions,
    active_streams: Arc<ActiveStreams>,
}

impl Chat {
    pub fn new(agent: Agent, provider: impl Into<String>, options: ChatOptions) -> Self {
        Self { agent, provider: provider.into(), options, active_streams: Arc::default() }
    }

    /// Who answers.
    pub(crate) fn provider(&self) -> &str {
        &self.provider
    }

    /// Waits until no answer is being written, and what was said is on its way to the store.
    pub(crate) async fn drained(&self) {
        self.agent.wait_until_all_idle().await;
    }

    /// Waits for the answer that is under way in a conversation, which goes on aloud. One that takes
    /// too long is stopped: the person has turned to something else.
    pub(crate) async fn makes_way(&self, conversation: &ConversationId) {
        if self.active_streams.make_way(conversation).await.is_err() {
            self.active_streams.find(conversation).iter().for_each(|live| live.stop());
        }
        if self.agent.wait_until_idle(conversation).await.is_err() {
            tracing::warn!("A conversation goes on aloud while an answer is being written.");
        }
    }
}

/// Whether a path is one of chat's.
pub(crate) fn is_chat(path: &str) -> bool {
    path.strip_prefix(PATH).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Its routes.
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
    let live = begin(app, chat, ask, person).await?;
    match delivery {
        Delivery::Stream => Ok(respond::stream(&live)),
        Delivery::Whole => respond::whole(&live).await,
    }
}

fn no_model() -> ApiError {
    let message = "no text model is configured; set [text] in aileron.toml";
    ApiError::new(ApiErrorCode::NoModel, message)
}

/// Opens the conversation and begins the turn; the answer goes on by itself from here.
async fn begin(
    app: &App,
    chat: &Chat,
    ask: ChatRequest,
    person: Person,
) -> Result<Arc<ResumableStream>, ApiError> {
    let conversation = open(app, &ask, &person).await?;
    app.voice().makes_way(&ask.id).await;
    chat.active_streams.make_way(&ask.id).await?;
    let watch = app.event_hub().subscribe(&ask.id).into_stream().boxed();
    let start = StreamStart::of(&ask, &conversation, &chat.provider);
    let (agent, by) = (&chat.agent, person.clone());
    let answering = match ask.news {
        ChatInput::Message(words) => agent.say(&conversation, words, watch).await?,
        ChatInput::Edit(words) => agent.edit_message(&conversation, words, by, watch).await?,
        ChatInput::Regenerate(words) => agent.regenerate(&conversation, words, by, watch).await?,
        ChatInput::Confirmations(decisions) => {
            let decisions = decisions.each.into_iter().map(|(decision, _)| decision).collect();
            agent.confirm(&conversation, decisions, by, watch).await?
        }
    };
    let live = chat.active_streams.begin(&ask.id, (person, ask.delivery), chat.options);
    let takers = (Encoder::new(start), Meter::new(app));
    let (active_streams, end) = (chat.active_streams.clone(), app.time_is_up().clone());
    let written =
        active_streams::pump(active_streams, live.clone(), answering, takers, conversation, end);
    drop(tokio::spawn(written));
    Ok(live)
}

async fn open(app: &App, ask: &ChatRequest, person: &Person) -> Result<Lease, ApiError> {
    let opening = OpenRequest { id: ask.id.clone(), mode: Mode::Text, person: person.clone() };
    let opened = match &ask.news {
        ChatInput::Message(_) | ChatInput::Edit(_) | ChatInput::Regenerate(Some(_)) => {
            app.open(opening.clone()).await
        }
        // A conversation begins with words: there is nothing to answer where none were said.
        ChatInput::Confirmations(_) | ChatInput::Regenerate(None) => {
            app.find(opening.clone()).await
        }
    };
    if let (Err(refused), ChatInput::Confirmations(decisions)) = (&opened, &ask.news) {
        let decided = decisions.each.iter().map(|(decision, _)| decision);
        app.decided_outside(refused, opening, decided).await;
    }
    opened.map_err(not_opened)
}

/// Who writes with a page begins a conversation by writing in it.
fn not_opened(error: NotOpened) -> ApiError {
    match error {
        NotOpened::NotThere | NotOpened::Refused(OpenError::NotOwner) => {
            ApiError::not_found(NOT_THERE)
        }
        NotOpened::Refused(_) | NotOpened::TooMany { .. } => error.into(),
    }
}

/// Reads an answer that is under way from its beginning, as front ends do after a broken stream.
async fn resume(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Response {
    match running(&app, &caller, id) {
        Ok(Some(live)) => respond::stream(&live),
        Ok(None) => StatusCode::NO_CONTENT.into_response(),
        Err(error) => RefusalFormat::of(PATH, &headers).refusal(error),
    }
}

/// Stops an answer that is under way.
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

/// The answer that is under way, if it is this person's. Somebody else's is not there.
fn running(
    app: &App,
    caller: &Caller,
    id: String,
) -> Result<Option<Arc<ResumableStream>>, ApiError> {
    let chat = app.chat().ok_or_else(no_model)?;
    let id = ConversationId::new(id).map_err(|error| ApiError::invalid(error.to_string()))?;
    Ok(chat.active_streams.find(&id).filter(|live| live.is_of(&caller.0)))
}
