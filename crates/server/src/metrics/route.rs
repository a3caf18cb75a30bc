//! The route `/metrics`.

use axum::Router;
use axum::extract::State;
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;

use super::render;
use crate::app::App;

const TEXT: &str = "text/plain; version=0.0.4; charset=utf-8";
const OPEN_METRICS: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// The route `/metrics`.
pub(crate) fn routes() -> Router<App> {
    Router::new().route("/metrics", get(answer))
}

async fn answer(State(app): State<App>, headers: HeaderMap) -> Response {
    let accepted = headers.get(header::ACCEPT).and_then(|value| value.to_str().ok());
    let accepted = accepted.unwrap_or_default();
    let figures = render::AllMetrics::of(&app);
    let text = || render::text(&figures) + &render::quarantines(&quarantines(&app));
    match (accepted.contains("openmetrics"), accepted.contains("text/plain")) {
        (true, _) => {
            ([(header::CONTENT_TYPE, OPEN_METRICS)], format!("{}# EOF\n", text())).into_response()
        }
        (false, true) => ([(header::CONTENT_TYPE, TEXT)], text()).into_response(),
        (false, false) => axum::Json(render::json(&figures)).into_response(),
    }
}

/// The quarantined tools, each with the seconds left.
fn quarantines(app: &App) -> Vec<(String, u64)> {
    let registry = app.orchestrator().current();
    let tools = registry.iter().flat_map(|registry| registry.tools());
    let quarantined = tools.filter_map(|tool| Some((tool, tool.quarantine()?)));
    quarantined.map(|(tool, it)| (tool.spec().tool_id.to_string(), it.seconds_left())).collect()
}
