//! Asks the server, and says who it is that was slow or spoke in riddles.

use aileron_capability::{Fault, FaultCode};
use aileron_http::service::{Ask, NoReply, Reply, Service};

use super::multistatus::Multistatus;

pub(super) const WHO: &str = "the calendar server";

/// The server.
#[derive(Debug)]
pub(super) struct Web(Service);

impl Web {
    pub(super) fn new(service: Service) -> Self {
        Self(service)
    }

    pub(super) async fn ask(&self, ask: Ask) -> Result<Reply, NoReply> {
        self.0.ask(ask).await.map_err(|no_reply| match no_reply {
            NoReply::NotSent(fault) => NoReply::NotSent(named(fault)),
            NoReply::Lost(fault) => NoReply::Lost(named(fault)),
        })
    }
}

fn named(fault: Fault) -> Fault {
    match fault.code {
        FaultCode::Timeout => {
            Fault::new(FaultCode::Timeout, format!("{WHO} is slow: {}", fault.message))
        }
        _ => fault,
    }
}

pub(super) fn multistatus(reply: &Reply) -> Result<Multistatus, Fault> {
    Multistatus::read(&reply.text()).map_err(|why| {
        let message = format!("{WHO} answered with what is no multistatus: {why}");
        Fault::new(FaultCode::Unavailable, message)
    })
}
