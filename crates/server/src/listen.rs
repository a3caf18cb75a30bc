//! The routes, and the loop that answers requests until it is told to stop.

use axum::Router;
use axum::routing::get;
use tokio::net::TcpListener;

use crate::app::App;
use crate::{api, chat, voice};

/// Every route of the server.
pub fn router(app: App) -> Router {
    Router::new()
        .route("/health", get(|| async { "ok\n" }))
        .merge(api::routes())
        .merge(chat::routes())
        .merge(voice::routes())
        .with_state(app)
}

/// Answers requests until `stop` comes, and then those that are under way.
pub async fn serve(
    app: App,
    listener: TcpListener,
    stop: impl Future<Output = ()> + Send + 'static,
) -> std::io::Result<()> {
    axum::serve(listener, router(app)).with_graceful_shutdown(stop).await
}
