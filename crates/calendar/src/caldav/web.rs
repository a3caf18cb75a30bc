//! Sends requests to the server; its faults name the CalDAV server.

use aileron_capability::{CapabilityFault, FaultCode};
use aileron_http::service::{HttpCall, HttpReply, RequestError, Service};

use super::multistatus::Multistatus;

pub(super) const WHO: &str = "the calendar server";

/// The server.
#[derive(Debug)]
pub(super) struct DavClient(Service);

impl DavClient {
    pub(super) fn new(service: Service) -> Self {
        Self(service)
    }

    pub(super) async fn ask(&self, ask: HttpCall) -> Result<HttpReply, RequestError> {
        self.0.ask(ask).await.map_err(|no_reply| match no_reply {
            RequestError::NotSent(fault) => RequestError::NotSent(named(fault)),
            RequestError::Lost(fault) => RequestError::Lost(named(fault)),
        })
    }
}

fn named(fault: CapabilityFault) -> CapabilityFault {
    match fault.code {
        FaultCode::Timeout => {
            CapabilityFault::new(FaultCode::Timeout, format!("{WHO} is slow: {}", fault.message))
        }
        _ => fault,
    }
}

pub(super) fn multistatus(reply: &HttpReply) -> Result<Multistatus, CapabilityFault> {
    Multistatus::read(&reply.text()).map_err(|why| {
        let message = format!("{WHO} sent an answer that is no multistatus: {why}");
        CapabilityFault::new(FaultCode::Unavailable, message)
    })
}
