//! The HTTP API for agents that run elsewhere: conversations, turns, calls, confirmations, tools. Their calls
//! pass the same pipeline as those of the built-in agent.
//!
//! `operations` lists all operations; the routes and `/openapi.json` are both built from it.

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
mod series;
mod tools;
mod turns;
mod view;

use axum::Router;
use axum::routing::get;

use crate::app::App;

/// The path of images; the id of an image follows.
pub const IMAGES: &str = "/v1/images/";

/// The routes of the API.
pub(crate) fn routes() -> Router<App> {
    let described = Router::new().route("/openapi.json", get(openapi::show));
    operations::ALL
        .iter()
        .fold(described, |router, operation| router.route(operation.path, (operation.handler)()))
}
