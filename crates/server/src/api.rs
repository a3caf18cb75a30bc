//! The HTTP API for agents that run elsewhere: conversations, turns, calls, confirmations, tools. Their calls
//! pass the same pipeline as those of the built-in agent.
//!
//! `operations` lists all operations; the routes and `/openapi.json` are both built from it.

mod assignment;
mod audit;
mod blocks;
mod calls;
mod cases;
mod confirmations;
mod conversations;
mod dry_run;
mod events;
mod images;
mod me;
mod messages;
mod native;
mod openapi;
mod operation;
mod operations;
mod parameters;
mod registries;
mod request;
mod schema;
mod script;
mod series;
mod tasks;
mod tools;
mod turn_records;
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
    let routed = operations::all().filter_map(|it| Some((it.path, it.handler?)));
    routed.fold(described, |router, (path, handler)| router.route(path, handler()))
}
