//! The API for agents that run elsewhere: conversations, turns, calls, confirmations, tools. The
//! pipeline is the same as for those that live here.
//!
//! `operations` has the one list of what there is; the routes and `/openapi.json` are both made of it.

mod blocks;
mod calls;
mod confirmations;
mod conversations;
mod images;
mod messages;
mod native;
mod openapi;
mod operations;
mod request;
mod schema;
mod tools;
mod turns;
mod view;

use axum::Router;
use axum::routing::get;

use crate::app::App;

/// What the address of an image begins with on a server; its id follows.
pub const IMAGES: &str = "/v1/images/";

/// Its routes.
pub(crate) fn routes() -> Router<App> {
    let described = Router::new().route("/openapi.json", get(openapi::show));
    operations::ALL
        .iter()
        .fold(described, |router, operation| router.route(operation.path, (operation.handler)()))
}
