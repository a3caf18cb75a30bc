//! Chat: the stream that chat front ends read, and what they send.
//!
//! A front end sends its whole history; only its last message is looked at. What was said before is
//! the server's own, and what the person approves is the server's question, found by its token.

mod chunk;
mod encode;
mod live;
mod message;
mod refusal;
mod request;
mod respond;

use std::sync::Arc;
use std::time::Duration;

use aileron_agent::Agent;
use aileron_contract::{ConversationId, Mode};
use aileron_orchestrator::{Opening, Person};
use axum::Router;
use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use futures_util::StreamExt;

use self::encode::{Encoder, Start};
use self::live::{Live, Lives};
use self::refusal::Refusal;
use self::request::{Ask, Delivery, News};
use crate::app::App;
use crate::door::Caller;
use crate::hub::Subscription;

/// The numbers of chat.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChatOptions {
    /// The most bytes of a request, the front end's history included.
    pub most_bytes: usize,
    /// How long an answer goes on that nobody reads, so that a broken stream can be resumed.
    pub resume_within: Duration,
    /// How long a reader may leave what was sent to them before they count as gone.
    pub stalled_after: Duration,
}

impl Default for ChatOptions {
    fn default() -> Self {
        Self {
            most_bytes: 8 << 20,
            resume_within: Duration::from_secs(10),
            stalled_after: Duration::from_secs(30),
        }
    }
}

/// The agent that chat is held with, and the answers that are under way.
#[derive(Debug)]
pub struct Chat {
    agent: Agent,
    /// Who answers, for the page: `offline`, `gemini`.
    provider: String,
    options: ChatOptions,
    lives: Arc<Lives>,
}

impl Chat {
    pub fn new(agent: Agent, provider: impl Into<String>, options: ChatOptions) -> Self {
        Self { agent, provider: provider.into(), options, lives: Arc::default() }
    }

    /// Waits for the answer that is under way in a conversation, which goes on aloud. One that takes
    /// too long is stopped: the person has turned to something else.
    pub(crate) async fn makes_way(&self, conversation: &ConversationId) {
        if self.lives.make_way(conversation).await.is_err() {
            self.lives.find(conversation).iter().for_each(|live| live.stop());
        }
        if self.agent.rests(conversation).await.is_err() {
            tracing::warn!("A conversation goes on aloud while an answer is being written.");
        }
    }
}

/// Whether a path is one of chat's.
pub(crate) fn is_chat(path: &str) -> bool {
    path == "/api/chat" || path.starts_with("/api/chat/")
}

/// Its routes.
pub(crate) fn routes() -> Router<App> {
    Router::new()
        // The limit is the handler's own, which answers in its own form.
        .route("/api/chat", post(chat).layer(DefaultBodyLimit::disable()))
        .route("/api/chat/{id}/stream", get(resume).delete(stop))
}

async fn chat(State(app): State<App>, caller: Caller, body: axum::body::Body) -> Response {
    match answer(&app, caller.0, body).await {
        Ok(response) => response,
        Err(refusal) => refusal.into_response(),
    }
}

async fn answer(app: &App, person: Person, body: axum::body::Body) -> Result<Response, Refusal> {
    let chat = app.chat().ok_or(Refusal::no_model())?;
    let body = read(body, chat.options.most_bytes).await?;
    let ask = Ask::read(&body)?;
    let delivery = ask.delivery;
    let answered = begin(app, chat, ask, person).await;
    let live = answered.map_err(|refusal| refusal.delivered(delivery))?;
    match delivery {
        Delivery::Stream => Ok(respond::stream(&live)),
        Delivery::Whole => respond::whole(&live).await,
    }
}

/// Reads the body; one that is too long is refused without being read to its end.
async fn read(body: axum::body::Body, most: usize) -> Result<Bytes, Refusal> {
    axum::body::to_bytes(body, most).await.map_err(|error| {
        let limited = std::error::Error::source(&error)
            .is_some_and(|source| source.to_string().contains("length limit"));
        if limited { Refusal::too_large(most) } else { Refusal::broken_off() }
    })
}

/// Opens the conversation and begins the turn; the answer goes on by itself from here.
async fn begin(app: &App, chat: &Chat, ask: Ask, person: Person) -> Result<Arc<Live>, Refusal> {
    let opening = Opening { id: ask.id.clone(), mode: Mode::Text, person: person.clone() };
    let conversation = match app.open(opening.clone()).await {
        Ok(conversation) => conversation,
        Err(refused) => {
            if let News::Decided(decisions) = &ask.news {
                let decided = decisions.iter().map(|(decision, _)| decision);
                app.decided_outside(&refused, opening, decided).await;
            }
            return Err(refused.into());
        }
    };
    app.voice().makes_way(&ask.id).await;
    chat.lives.make_way(&ask.id).await?;
    let watch = watched(app.hub().subscribe(&ask.id));
    let start = Start::of(&ask, &conversation, &chat.provider);
    let answering = match ask.news {
        News::Said(text) => chat.agent.say(&conversation, text, watch).await?,
        News::Decided(decisions) => {
            let decisions = decisions.into_iter().map(|(decision, _)| decision).collect();
            chat.agent.confirm(&conversation, decisions, person.clone(), watch).await?
        }
    };
    let live = chat.lives.begin(
        &ask.id,
        (person, ask.delivery),
        chat.options,
        app.stopping().child_token(),
    );
    let (lives, encoder) = (chat.lives.clone(), Encoder::new(start));
    drop(tokio::spawn(live::pump(lives, live.clone(), answering, encoder, conversation)));
    Ok(live)
}

fn watched(subscription: Subscription) -> aileron_agent::Watch {
    let next = |mut subscription: Subscription| async move {
        subscription.next().await.map(|event| (event, subscription))
    };
    futures_util::stream::unfold(subscription, next).boxed()
}

/// Reads an answer that is under way from its beginning, as front ends do after a broken stream.
async fn resume(State(app): State<App>, caller: Caller, Path(id): Path<String>) -> Response {
    match running(&app, &caller, id) {
        Ok(Some(live)) => respond::stream(&live),
        Ok(None) => StatusCode::NO_CONTENT.into_response(),
        Err(refusal) => refusal.into_response(),
    }
}

/// Stops an answer that is under way.
async fn stop(State(app): State<App>, caller: Caller, Path(id): Path<String>) -> Response {
    match running(&app, &caller, id) {
        Ok(live) => {
            live.iter().for_each(|live| live.stop());
            StatusCode::NO_CONTENT.into_response()
        }
        Err(refusal) => refusal.into_response(),
    }
}

/// The answer that is under way, if it is this person's. Somebody else's is not there.
fn running(app: &App, caller: &Caller, id: String) -> Result<Option<Arc<Live>>, Refusal> {
    let chat = app.chat().ok_or(Refusal::no_model())?;
    let id = ConversationId::new(id).map_err(|error| Refusal::bad_request(error.to_string()))?;
    Ok(chat.lives.find(&id).filter(|live| live.is_of(&caller.0)))
}
