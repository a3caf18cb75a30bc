//! HTTP over the network: `client` sends the requests of tools, whose rules are in
//! `aileron_capability::http` (reqwest, TLS, a resolver that allows only public addresses), and
//! `service` sends requests of engines to one configured server. The orchestrator does not depend
//! on this crate.

mod network;
mod resolver;
pub mod service;

pub use network::client;
