//! A knowledge base that shows each caller only the namespaces they may read.
//!
//! A search names one namespace, so its refusal names the missing permission. An id names none: it
//! must not be visible whether a hidden record has it, so such an id is answered like an unknown
//! one.

use std::sync::Arc;

use aileron_contract::kb::{FetchedRecords, GetRequest, Namespace, SearchRequest, SearchResult};
use futures_util::FutureExt;

use super::{Kb, ReadPermission, Readers};
use crate::{Answer, Caller, CapabilityFault, FaultCode};

/// A knowledge base with its readers.
#[derive(Debug, Clone)]
pub struct GuardedKb {
    pub inner: Arc<dyn Kb>,
    pub readers: Readers,
}

impl Kb for GuardedKb {
    fn search(&self, caller: &Caller, request: SearchRequest) -> Answer<SearchResult> {
        match self.refusal(caller, request.namespace) {
            None => self.inner.search(caller, request),
            Some(fault) => refused(fault),
        }
    }

    /// Refused if the caller may read no namespace at all, which reveals nothing about an id.
    fn get(&self, caller: &Caller, mut request: GetRequest) -> Answer<FetchedRecords> {
        let refusals = request.namespaces.iter().map(|it| self.refusal(caller, *it));
        match refusals
            .collect::<Option<Vec<CapabilityFault>>>()
            .and_then(|all| all.into_iter().next())
        {
            None => {
                request.namespaces.retain(|it| self.readers.of(*it).is(caller));
                self.inner.get(caller, request)
            }
            Some(fault) => refused(fault),
        }
    }
}

impl GuardedKb {
    fn refusal(&self, caller: &Caller, namespace: Namespace) -> Option<CapabilityFault> {
        let reader = self.readers.of(namespace);
        let takes = match reader {
            _ if reader.is(caller) => return None,
            ReadPermission::Anyone | ReadPermission::SignedIn => {
                "the person to be signed in".to_owned()
            }
            ReadPermission::Scope(name) => format!("the permission {name}"),
        };
        let message = format!("the namespace `{namespace}` needs {takes}");
        Some(CapabilityFault::new(FaultCode::Auth, message))
    }
}

fn refused<T: Send + 'static>(fault: CapabilityFault) -> Answer<T> {
    std::future::ready(Err(fault)).boxed()
}

#[cfg(test)]
#[path = "guard_tests.rs"]
mod tests;
