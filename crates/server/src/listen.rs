//! The routes, and the loop that answers requests until it is told to stop.

use axum::Router;
use axum::routing::get;
use axum::serve::ListenerExt;
use tokio::net::TcpListener;

use crate::app::App;
use crate::{api, chat, metrics, voice};

/// Every route of the server.
pub fn router(app: App) -> Router {
    Router::new()
        .route("/health", get(|| async { "ok\n" }))
        .merge(api::routes())
        .merge(chat::routes())
        .merge(metrics::routes())
        .merge(voice::routes())
        .with_state(app)
}

/// Answers requests until `stop` comes, and then those that are under way. Voice sessions end once
/// their running calls have settled.
pub async fn serve(
    app: App,
    listener: TcpListener,
    stop: impl Future<Output = ()> + Send + 'static,
) -> std::io::Result<()> {
    let voices = app.clone();
    let stop = async move {
        stop.await;
        voices.voice().stop();
    };
    let drained = app.clone();
    // A piece of audio must not wait for the next.
    let listener = listener.tap_io(|stream| drop(stream.set_nodelay(true)));
    axum::serve(listener, router(app)).with_graceful_shutdown(stop).await?;
    drained.voice().drained().await;
    Ok(())
}
