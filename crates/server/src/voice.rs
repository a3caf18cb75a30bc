//! Voice: a person's microphone and loudspeaker joined with a live provider.

use axum::Router;

use crate::app::App;

/// Its routes.
pub(crate) fn routes() -> Router<App> {
    Router::new()
}
