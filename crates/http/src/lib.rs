//! Connections to HTTP servers: `client` for requests of tools, whose rules are in
//! `aileron-capability`, and `service` for engines that ask one server of the settings.

mod network;
mod resolver;
pub mod service;

pub use network::client;
