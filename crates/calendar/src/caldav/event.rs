//! Finds an event by its id, and creates one that does not exist.

use std::sync::Arc;

use aileron_capability::{CapabilityFault, FaultCode};
use aileron_http::service::{HttpCall, HttpReply, RequestError, fault_of};
use reqwest::Method;
use reqwest::header::ETAG;
use url::Url;

use super::discovery::DiscoveredCalendars;
use super::places::{AddressAttempt, nowhere};
use super::web::{WHO, multistatus};
use super::{CalDavInner, request};
use crate::backend::{Commit, NewEvent, StoredEvent};
use crate::ical;

impl CalDavInner {
    pub(super) async fn find(
        self: &Arc<Self>,
        uid: &str,
    ) -> Result<Option<StoredEvent>, CapabilityFault> {
        let places = self.places().await?;
        if let AddressAttempt::Done(found) = self.find_at(&places, uid).await? {
            return Ok(found);
        }
        let places = self.places_again(&places).await?;
        match self.find_at(&places, uid).await? {
            AddressAttempt::Done(found) => Ok(found),
            AddressAttempt::Moved(status) => Err(nowhere(status)),
        }
    }

    /// By its URL, or by a search for its id.
    async fn find_at(
        &self,
        places: &DiscoveredCalendars,
        uid: &str,
    ) -> Result<AddressAttempt<Option<StoredEvent>>, CapabilityFault> {
        let url = event_url(&places.target, uid)?;
        let reply = self.web.ask(HttpCall::new(Method::GET, url.clone())).await?;
        match reply.status {
            200 => {
                if let Some(join_url) = ical::join_url(&reply.text(), uid) {
                    let (url, version) = (Some(url.to_string()), etag(&reply));
                    return Ok(AddressAttempt::Done(Some(StoredEvent { url, join_url, version })));
                }
            }
            404 | 409 | 410 => {}
            status => return Err(fault_of(status, WHO)),
        }
        self.find_by_uid(&places.target, uid).await
    }

    async fn find_by_uid(
        &self,
        calendar: &Url,
        uid: &str,
    ) -> Result<AddressAttempt<Option<StoredEvent>>, CapabilityFault> {
        let reply = self.web.ask(request::by_uid(calendar, uid)).await?;
        match reply.status {
            207 => {}
            status @ (404 | 409 | 410) => return Ok(AddressAttempt::Moved(status)),
            status if status >= 500 => return Err(fault_of(status, WHO)),
            // If the server cannot search by id, the event can only be at its URL.
            _ => return Ok(AddressAttempt::Done(None)),
        }
        let found = multistatus(&reply)?.resources.into_iter().find_map(|resource| {
            let join_url = ical::join_url(resource.calendar_data.as_deref()?, uid)?;
            let url = calendar.join(&resource.href).ok()?;
            Some(StoredEvent { url: Some(url.to_string()), join_url, version: resource.etag })
        });
        Ok(AddressAttempt::Done(found))
    }

    pub(super) async fn commit(
        self: &Arc<Self>,
        event: &NewEvent,
    ) -> Result<Commit, CapabilityFault> {
        let places = self.places().await?;
        if let AddressAttempt::Done(made) = self.commit_at(&places, event).await? {
            return Ok(made);
        }
        let places = self.places_again(&places).await?;
        match self.commit_at(&places, event).await? {
            AddressAttempt::Done(made) => Ok(made),
            AddressAttempt::Moved(status) => Err(nowhere(status)),
        }
    }

    async fn commit_at(
        self: &Arc<Self>,
        places: &DiscoveredCalendars,
        event: &NewEvent,
    ) -> Result<AddressAttempt<Commit>, CapabilityFault> {
        let url = event_url(&places.target, &event.uid)?;
        let organizer = self.organizer.as_deref().or(places.address.as_deref());
        let put = self.web.ask(request::put(&url, ical::written(event, organizer))).await;
        let done = match put {
            Ok(reply @ HttpReply { status: 200..=299, .. }) => Commit::Made(StoredEvent {
                url: Some(url.to_string()),
                join_url: event.join_url.clone(),
                version: etag(&reply),
            }),
            Ok(HttpReply { status: status @ (404 | 409 | 410), .. }) => {
                return Ok(AddressAttempt::Moved(status));
            }
            Ok(HttpReply { status: 412, .. }) => self.already_there(event).await?,
            Ok(HttpReply { status, .. }) if status < 500 => return Err(fault_of(status, WHO)),
            Ok(HttpReply { status, .. }) => {
                let if_missing =
                    if is_between(status) { MissingEvent::Open } else { MissingEvent::NotMade };
                self.confirm_created(event, fault_of(status, WHO), if_missing).await?
            }
            Err(RequestError::NotSent(fault)) => return Err(fault),
            Err(RequestError::Lost(fault)) => {
                self.confirm_created(event, fault, MissingEvent::Open).await?
            }
        };
        Ok(AddressAttempt::Done(done))
    }

    /// A resource with the URL or the id of our event exists.
    async fn already_there(self: &Arc<Self>, event: &NewEvent) -> Result<Commit, CapabilityFault> {
        match self.find(&event.uid).await? {
            Some(found) => Ok(Commit::Existed(found)),
            None => Err(CapabilityFault::new(
                FaultCode::Refused,
                "the calendar server says that the event exists, and does not show it",
            )),
        }
    }

    /// The answer does not show whether the event was created, so it is searched by its id.
    async fn confirm_created(
        self: &Arc<Self>,
        event: &NewEvent,
        fault: CapabilityFault,
        if_missing: MissingEvent,
    ) -> Result<Commit, CapabilityFault> {
        let code = match (self.find(&event.uid).await, if_missing) {
            (Ok(Some(found)), _) => return Ok(Commit::Made(found)),
            (Ok(None), MissingEvent::NotMade) => FaultCode::Unavailable,
            (Ok(None), MissingEvent::Open) | (Err(_), _) => FaultCode::Timeout,
        };
        Err(CapabilityFault::new(code, fault.message))
    }
}

/// The meaning of a missing event after a failed request.
#[derive(Debug, Clone, Copy)]
enum MissingEvent {
    /// The server has finished the request.
    NotMade,
    /// The server may still process the request and store the event later.
    Open,
}

/// Whether a status comes from a proxy that lost its connection to the server.
const fn is_between(status: u16) -> bool {
    matches!(status, 502 | 504)
}

fn etag(reply: &HttpReply) -> Option<String> {
    reply.headers.get(ETAG).and_then(|it| it.to_str().ok()).map(str::to_owned)
}

fn event_url(calendar: &Url, uid: &str) -> Result<Url, CapabilityFault> {
    let odd = || CapabilityFault::new(FaultCode::Refused, "the id of the event makes no address");
    calendar.join(&format!("{uid}.ics")).map_err(|_| odd())
}
