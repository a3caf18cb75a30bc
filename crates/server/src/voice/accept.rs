//! Accepts `/v1/voice` connections: checks which person, conversation and provider a connection is for. A
//! refusal is sent as a message, because a browser shows no page for a refused WebSocket.

mod handshake;
mod refusal;

use std::sync::Arc;

use aileron_agent::{HistoryError, Instructions, Recap, TranscriptLog};
use aileron_contract::spec::SideEffects;
use aileron_contract::transport::Setup;
use aileron_contract::{ConversationId, Mode, ToolSpec};
use aileron_orchestrator::state::StateEvent;
use aileron_orchestrator::{OpenError, OpenRequest, Person};
use axum::Router;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use tokio::runtime::Handle;

use self::handshake::{BareSocket, Handshake};
use self::refusal::VoiceRefusal;
use super::client::{Client, ClientReceived};
use super::context_window::{ContextWindow, json_chars, tokens};
use super::message_rate_limit::MessageRateLimit;
use super::protocol::{SessionEndReason, VoiceClientMessage};
use super::providers::Provider;
use super::session::{SessionParts, VoiceSession};
use super::session_logic::{ReadyMessage, VoiceSessionLogic};
use super::sessions::ConnectionPermit;
use crate::app::App;
use crate::conversations::{Lease, NotOpened};
use crate::metrics::ContextStart;
use crate::paths;
use crate::request_checks::Caller;

/// Maximum number of estimated tokens of earlier messages that a live model is given.
const RECAP_TOKENS: u64 = 8_000;

const FULL: &str = "all voice connections are taken; try again in a moment\n";

/// The route of voice.
pub(crate) fn routes() -> Router<App> {
    Router::new().route(paths::VOICE, get(upgrade))
}

/// Answers the request for a WebSocket.
async fn upgrade(State(app): State<App>, Caller(person): Caller, handshake: Handshake) -> Response {
    let Some(place) = app.voice().sessions.enter() else {
        app.voice().figures().over_capacity.add(1);
        return (StatusCode::SERVICE_UNAVAILABLE, [("retry-after", "5")], FULL).into_response();
    };
    let answer = handshake.answer();
    let call_runtime = Handle::current();
    // The handshake is over when the answer is sent; from then on a voice thread serves the audio.
    tokio::spawn(async move {
        if let Ok(socket) = handshake.socket().await {
            let voice = app.clone();
            voice.voice().threads.spawn(serve_client(app, person, socket, place, call_runtime));
        }
    });
    answer
}

/// Serves a client, from its first message to the last.
async fn serve_client(
    app: App,
    person: Person,
    socket: BareSocket,
    place: ConnectionPermit,
    call_runtime: Handle,
) {
    let Ok(socket) = socket.settle(app.voice().limits.message_bytes) else { return };
    let mut client = Client::new(socket, app.voice().limits.queued_audio_bytes);
    let mut rate_limit =
        MessageRateLimit::new(app.voice().limits.messages_per_second, app.clock().now_ms());
    match accept_client(&app, person, &mut client, &mut rate_limit).await {
        Ok(accepted) => run(app, accepted, client, rate_limit, call_runtime).await,
        Err(refusal) => refuse(&app, client, &refusal).await,
    }
    drop(place);
}

async fn refuse(app: &App, mut client: Client, refusal: &VoiceRefusal) {
    app.voice().figures().refused.add(1);
    refusal.messages(app.clock().now_ms()).iter().for_each(|message| {
        client.send_message(message);
    });
    client.close(refusal.close_code(), refusal.word()).await;
}

/// A client whose `start` was accepted.
struct AcceptedClient {
    person: Person,
    conversation: Lease,
    name: String,
    provider: Arc<Provider>,
}

async fn accept_client(
    app: &App,
    person: Person,
    client: &mut Client,
    rate_limit: &mut MessageRateLimit,
) -> Result<AcceptedClient, VoiceRefusal> {
    let voice = app.voice();
    let by = app.clock().now_ms().saturating_add(voice.limits.start_ms);
    let Start { provider, conversation_id, registry } = tokio::select! {
        start = first_message(app, client, rate_limit) => start?,
        () = app.clock().wait_until(by) => return Err(VoiceRefusal::StartTimeout),
        () = voice.sessions.stopping() => return Err(VoiceRefusal::Stopping),
    };
    let Some((name, provider)) = voice.providers.find(provider.as_deref()) else {
        let known = voice.providers.names().collect::<Vec<_>>().join(", ");
        return Err(VoiceRefusal::UnknownProvider { known });
    };
    let conversation = open(app, person.clone(), conversation_id, registry).await?;
    Ok(AcceptedClient { person, conversation, name: name.to_owned(), provider: provider.clone() })
}

/// Starts a conversation, or opens the one that the client names.
async fn open(
    app: &App,
    person: Person,
    id: Option<ConversationId>,
    registry: Option<String>,
) -> Result<Lease, VoiceRefusal> {
    let mode = Mode::Voice;
    let opened = match id {
        Some(id) => app.conversations().find(OpenRequest { id, mode, person }).await,
        None => {
            let opening = OpenRequest { id: fresh_id()?, mode, person };
            app.conversations().open_with(opening, registry.as_deref()).await
        }
    };
    opened.map_err(VoiceRefusal::Open)
}

/// The content of `start`.
struct Start {
    provider: Option<String>,
    conversation_id: Option<ConversationId>,
    /// The registry of a conversation that begins.
    registry: Option<String>,
}

async fn first_message(
    app: &App,
    client: &mut Client,
    rate_limit: &mut MessageRateLimit,
) -> Result<Start, VoiceRefusal> {
    loop {
        let received = client.next().await;
        if !rate_limit.takes(client.payload().len(), app.clock().now_ms()) {
            return Err(VoiceRefusal::Flood);
        }
        return match received {
            ClientReceived::Text => match VoiceClientMessage::parse(client.payload()) {
                Ok(VoiceClientMessage::Start { provider, conversation_id, registry }) => {
                    Ok(Start { provider, conversation_id, registry })
                }
                Ok(_) => Err(VoiceRefusal::NotStarted),
                Err(error) => Err(VoiceRefusal::BadMessage(error)),
            },
            ClientReceived::Audio => Err(VoiceRefusal::NotStarted),
            ClientReceived::TooBig => Err(VoiceRefusal::TooBig),
            ClientReceived::Broken(code) => Err(VoiceRefusal::Broken { code }),
            ClientReceived::Gone => Err(VoiceRefusal::Gone),
            ClientReceived::Pulse | ClientReceived::Sent => continue,
        };
    }
}

/// 128 random bits, because anyone who knows the id of an anonymous conversation can open it.
fn fresh_id() -> Result<ConversationId, VoiceRefusal> {
    let half = || getrandom::u64().map_err(|_| VoiceRefusal::NoRandomness);
    let id = format!("v-{:016x}{:016x}", half()?, half()?);
    ConversationId::new(id).map_err(|_| VoiceRefusal::NoRandomness)
}

async fn run(
    app: App,
    accepted: AcceptedClient,
    client: Client,
    rate_limit: MessageRateLimit,
    call_runtime: Handle,
) {
    let AcceptedClient { person, conversation, name, provider } = accepted;
    let hold = app.voice().sessions.hold(conversation.id()).await;
    let (transcript_log, recap) = match open_transcript_log(&app, &conversation, &provider).await {
        Ok(opened) => opened,
        Err(refusal) => return refuse(&app, client, &refusal).await,
    };
    let events = app.event_hub().subscribe(conversation.id());
    let instructions = app.instructions(&conversation);
    let tools = instructions.tools().iter().map(|tool| tool.spec().tool_id.to_string()).collect();
    let setup = setup(&instructions, recap, &provider);
    let context = context(&app, &setup, &provider);
    // The conversation may have been without a connection for a while.
    let _ = conversation.on_event(StateEvent::VoiceConnected);
    let live = match app.voice().providers.begin(&provider, setup) {
        Ok(live) => live,
        Err(error) => {
            tracing::error!(%error, "The address or key of the voice provider is invalid.");
            return refuse(&app, client, &VoiceRefusal::ProviderUnavailable).await;
        }
    };
    let ready_message = ReadyMessage {
        conversation_id: conversation.id().clone(),
        registry_version: conversation.registry().version().to_owned(),
        tools,
        provider: name,
        notes: provider.notes(),
    };
    let (limits, now) = (app.voice().limits, app.clock().now_ms());
    let registry = conversation.registry().clone();
    let grammar = conversation.grammar().clone();
    let logic = VoiceSessionLogic::new(
        ready_message,
        provider.capabilities(),
        registry,
        grammar,
        limits,
        now,
    );
    let (figures, metrics) = (app.voice().figures().clone(), app.metrics().clone());
    figures.sessions.add(1);
    let session = VoiceSession::new(SessionParts {
        app,
        person,
        conversation,
        client,
        live,
        provider,
        logic,
        transcript_log,
        events,
        hold,
        context,
        rate_limit,
        call_runtime,
    });
    let reason = session.run().await;
    figures.ended(reason.as_str());
    if reason == SessionEndReason::UpstreamLost {
        metrics.models.voice.errors.add(1);
    }
}

/// The conversation's transcript log and its recap, once no chat answer is in progress.
async fn open_transcript_log(
    app: &App,
    conversation: &Lease,
    provider: &Provider,
) -> Result<(TranscriptLog, Recap), VoiceRefusal> {
    if let Some(chat) = app.chat() {
        chat.finish_answer(conversation.id()).await;
    }
    let tokens = usize::try_from((provider.window_tokens / 4).min(RECAP_TOKENS));
    let (store, clock) = (app.store().clone(), app.clock().clone());
    let opened = TranscriptLog::open(store, clock, conversation, tokens.unwrap_or_default()).await;
    opened.map_err(|error| {
        VoiceRefusal::Open(NotOpened::Refused(match error {
            HistoryError::Store(error) => OpenError::Store(error),
            error => OpenError::Unreadable { why: error.to_string() },
        }))
    })
}

/// The setup for the provider: the instructions, the available tools of the mode, and the earlier messages.
fn setup(instructions: &Instructions, recap: Recap, provider: &Provider) -> Setup {
    let mut text = instructions.text();
    if let Some(left_out) = recap.left_out {
        text.push_str(&format!("\n{left_out}\n"));
    }
    let mut setup = provider.setup(text);
    setup.history = recap.said;
    setup.reads = reads(instructions);
    setup.declarations = instructions.declarations(provider.capabilities().declarations);
    setup
}

/// The tools that only read and ask nothing.
fn reads(instructions: &Instructions) -> Vec<String> {
    let only_reads =
        |spec: &&ToolSpec| spec.side_effects != SideEffects::Writes && !spec.requires_confirmation;
    let specs = instructions.tools().iter().map(|tool| tool.spec());
    specs.filter(only_reads).map(|spec| spec.tool_id.to_string()).collect()
}

fn context(app: &App, setup: &Setup, provider: &Provider) -> ContextWindow {
    let instructions = tokens(setup.instructions.chars().count());
    let declarations = tokens(setup.declarations.iter().map(json_chars).sum());
    let history = tokens(setup.history.iter().map(|said| said.text.chars().count()).sum());
    tracing::info!(instructions, declarations, said = history, "A voice conversation begins.");
    let start = ContextStart { instructions, declarations, history };
    app.metrics().context.started(Mode::Voice, start);
    ContextWindow::new(provider.window_tokens, start.total())
}
