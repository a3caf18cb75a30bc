//! The answer at `/`: the page for a browser; for any other client a text that says what the server is, and where
//! things are.

use axum::extract::State;
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};

use crate::app::App;
use crate::page;

/// The default host, for a request without one.
const USUAL: &str = "127.0.0.1:7272";

pub(super) async fn show(State(app): State<App>, headers: HeaderMap) -> Response {
    match page::respond(&app, "/", &headers).await {
        Some(page) => page,
        None => ([(header::VARY, "accept")], text(&app, &headers)).into_response(),
    }
}

fn text(app: &App, headers: &HeaderMap) -> String {
    let host = headers.get(header::HOST).and_then(|value| value.to_str().ok()).unwrap_or(USUAL);
    let chat = match app.chat() {
        Some(chat) => format!("answered by {}", chat.provider()),
        None => "off: no text model is configured".to_owned(),
    };
    format!(
        "\
Aileron {version}: flight control for agent tools. Open http://{host}/ in a browser.

  POST /api/chat          chat with the agent ({chat})
  GET  /v1/voice          speak with the agent, over a WebSocket
  POST /v1/conversations  the pipeline for agents that run elsewhere
  POST /v1/conversations/{{id}}/confirmations/{{token}}
                          your answer to a pending confirmation: {{\"approve\": true}}
  GET  /openapi.json      description of this API
  GET  /metrics           metrics, for Prometheus or as JSON
  GET  /health            whether the server is live and ready (/health/live, /health/ready)

  curl -N http://{host}/api/chat -H 'content-type: application/json' -d '{{\"message\": \"Hello!\"}}'

docs/chat.md, docs/voice.md and docs/http-api.md of the repository explain how to use them.
",
        version = env!("CARGO_PKG_VERSION"),
    )
}
