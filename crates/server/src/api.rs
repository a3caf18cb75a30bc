//! The API for agents that live elsewhere: conversations, turns, calls, confirmations, tools.

use axum::Router;

use crate::app::App;

/// Its routes.
pub(crate) fn routes() -> Router<App> {
    Router::new()
}
