//! Resolves names and returns only public addresses. The connection uses the returned address, so
//! DNS rebinding (a changed address between check and connection) has no effect.

use std::error::Error;
use std::fmt;
use std::net::SocketAddr;
use std::sync::Arc;

use aileron_capability::http::is_public;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use tokio::net::lookup_host;
use url::Host;

/// The system's resolver behind a filter.
pub(crate) struct PublicResolver {
    /// Hosts whose addresses are not filtered.
    pub(crate) exempt: Arc<[Host]>,
}

impl Resolve for PublicResolver {
    fn resolve(&self, name: Name) -> Resolving {
        let exempt = self.exempt.contains(&Host::Domain(name.as_str().to_owned()));
        Box::pin(async move {
            // The connector puts the URL's port in the place of zero.
            let found = lookup_host((name.as_str(), 0)).await?;
            let addresses = if exempt { found.collect() } else { public_only(found)? };
            Ok(Box::new(addresses.into_iter()) as Addrs)
        })
    }
}

/// The public addresses; an error if there is none.
fn public_only(found: impl Iterator<Item = SocketAddr>) -> Result<Vec<SocketAddr>, NotPublic> {
    let public: Vec<_> = found.filter(|address| is_public(address.ip())).collect();
    if public.is_empty() { Err(NotPublic) } else { Ok(public) }
}

/// A name has no public address.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct NotPublic;

impl fmt::Display for NotPublic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no public address")
    }
}

impl Error for NotPublic {}

#[cfg(test)]
#[path = "resolver_tests.rs"]
mod tests;
