//! Image engines over real files and real HTTP.

mod engine;
mod provider;
#[path = "../../../calendar/tests/it/server.rs"]
mod server;
