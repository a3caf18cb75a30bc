//! The health routes: whether the server is alive, and whether it is ready for requests.

use axum::extract::State;
use axum::http::StatusCode;

use crate::app::App;

const STOPPING: &str = "the server is stopping";

/// Whether requests can be answered, and why not.
async fn is_ready(app: &App) -> Result<(), String> {
    if app.stopping().is_cancelled() {
        return Err(STOPPING.to_owned());
    }
    app.readiness().check(&**app.store(), &**app.clock()).await
}

/// Whether the process answers.
pub(super) async fn live() -> &'static str {
    "ok\n"
}

/// Whether requests can be answered.
pub(super) async fn ready(State(app): State<App>) -> (StatusCode, String) {
    match is_ready(&app).await {
        Ok(()) => (StatusCode::OK, "ready\n".to_owned()),
        Err(why) => (StatusCode::SERVICE_UNAVAILABLE, format!("not ready: {why}\n")),
    }
}

/// The first line says that the process is alive, the second whether it is ready.
pub(super) async fn both(state: State<App>) -> (StatusCode, String) {
    let (status, ready) = ready(state).await;
    (status, format!("{}{ready}", live().await))
}
