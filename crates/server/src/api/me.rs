//! The caller and the server, for a page that decides what to show.

use axum::extract::State;
use schemars::JsonSchema;
use serde::Serialize;

use super::request;
use crate::app::App;
use crate::auth::Auth;
use crate::error::ApiError;
use crate::request_checks::Caller;
use crate::role::Role;

/// The caller.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Me {
    /// The id of the person; `null` where people do not sign in.
    user: Option<String>,
    role: Role,
    sign_in: SignIn,
    scopes: Vec<String>,
    /// Until when the person is blocked, in milliseconds since the Unix epoch.
    #[serde(skip_serializing_if = "Option::is_none")]
    blocked_until: Option<u64>,
}

/// How people sign in.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
enum SignIn {
    None,
    Token,
    Jwt,
}

pub(super) async fn show(State(app): State<App>, Caller(person): Caller) -> axum::Json<Me> {
    let now = app.clock().now_ms();
    let blocked_as = person.id.as_ref().or(person.blocked_as.as_ref());
    let blocked_until = blocked_as.and_then(|user| app.store().blocked_until(user));
    let role = Role::of(&app, &person);
    let sign_in = match app.auth() {
        Auth::Open => SignIn::None,
        Auth::Tokens(_) => SignIn::Token,
        Auth::Jwt(_) => SignIn::Jwt,
    };
    axum::Json(Me {
        user: person.id.map(|id| id.to_string()),
        role,
        sign_in,
        scopes: person.scopes,
        blocked_until: blocked_until.filter(|until| *until > now),
    })
}

/// The server and the agents it offers.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct ServerView {
    version: &'static str,
    /// The registry of new conversations.
    registry_version: String,
    /// When it started, in milliseconds since the Unix epoch.
    started_at: u64,
    /// Its current time, in milliseconds since the Unix epoch.
    now: u64,
    /// The version of the page's files; a page that was loaded with another one is out of date.
    page_version: String,
    /// The text agent; `null` if no model is configured.
    chat: Option<ChatView>,
    voice: VoiceOffer,
    /// Whether it can save cases of tools.
    can_save_cases: bool,
}

#[derive(Debug, Serialize, JsonSchema)]
struct ChatView {
    provider: String,
    /// Whether rules answer in place of a model.
    offline: bool,
}

#[derive(Debug, Serialize, JsonSchema)]
struct VoiceOffer {
    providers: Vec<String>,
    default: String,
    /// Whether the default provider is the built-in one, which takes no audio.
    offline: bool,
}

/// The name of the built-in provider.
const OFFLINE: &str = "offline";

pub(super) async fn server(State(app): State<App>) -> Result<axum::Json<ServerView>, ApiError> {
    let registry = request::current_registry(&app)?;
    let providers = app.voice().providers();
    let default = providers.usual().to_owned();
    Ok(axum::Json(ServerView {
        version: env!("CARGO_PKG_VERSION"),
        registry_version: registry.version().to_owned(),
        started_at: app.started_at(),
        now: app.clock().now_ms(),
        page_version: app.page().version().into_owned(),
        chat: app.chat().map(|chat| ChatView {
            provider: chat.provider().to_owned(),
            offline: chat.provider() == OFFLINE,
        }),
        voice: VoiceOffer {
            providers: providers.names().map(str::to_owned).collect(),
            offline: default == OFFLINE,
            default,
        },
        can_save_cases: app.authoring().is_some_and(|authoring| authoring.can_save_cases()),
    }))
}
