//! Chat: the stream that chat front ends read, and what they send.

use axum::Router;

use crate::app::App;

/// Its routes.
pub(crate) fn routes() -> Router<App> {
    Router::new()
}
