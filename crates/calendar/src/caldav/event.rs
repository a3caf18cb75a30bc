//! Finds an event by its id, and makes one that is not there.

use std::sync::Arc;

use aileron_capability::{Fault, FaultCode};
use aileron_http::service::{Ask, NoReply, Reply, fault_of};
use reqwest::Method;
use reqwest::header::ETAG;
use url::Url;

use super::discovery::Places;
use super::places::{At, nowhere};
use super::web::{WHO, multistatus};
use super::{Inner, request};
use crate::backend::{Commit, Found, NewEvent};
use crate::ical;

impl Inner {
    pub(super) async fn find(self: &Arc<Self>, uid: &str) -> Result<Option<Found>, Fault> {
        let places = self.places().await?;
        if let At::Done(found) = self.find_at(&places, uid).await? {
            return Ok(found);
        }
        let places = self.places_again(&places).await?;
        match self.find_at(&places, uid).await? {
            At::Done(found) => Ok(found),
            At::Moved(status) => Err(nowhere(status)),
        }
    }

    /// By its address, or wherever the server put it.
    async fn find_at(&self, places: &Places, uid: &str) -> Result<At<Option<Found>>, Fault> {
        let url = event_url(&places.target, uid)?;
        let reply = self.web.ask(Ask::new(Method::GET, url.clone())).await?;
        match reply.status {
            200 => {
                if let Some(join_url) = ical::join_url(&reply.text(), uid) {
                    let (url, version) = (Some(url.to_string()), etag(&reply));
                    return Ok(At::Done(Some(Found { url, join_url, version })));
                }
            }
            404 | 409 | 410 => {}
            status => return Err(fault_of(status, WHO)),
        }
        self.find_by_uid(&places.target, uid).await
    }

    async fn find_by_uid(&self, calendar: &Url, uid: &str) -> Result<At<Option<Found>>, Fault> {
        let reply = self.web.ask(request::by_uid(calendar, uid)).await?;
        match reply.status {
            207 => {}
            status @ (404 | 409 | 410) => return Ok(At::Moved(status)),
            status if status >= 500 => return Err(fault_of(status, WHO)),
            // A server that cannot search by id has what it has under the address we gave it.
            _ => return Ok(At::Done(None)),
        }
        let found = multistatus(&reply)?.resources.into_iter().find_map(|resource| {
            let join_url = ical::join_url(resource.calendar_data.as_deref()?, uid)?;
            let url = calendar.join(&resource.href).ok()?;
            Some(Found { url: Some(url.to_string()), join_url, version: resource.etag })
        });
        Ok(At::Done(found))
    }

    pub(super) async fn commit(self: &Arc<Self>, event: &NewEvent) -> Result<Commit, Fault> {
        let places = self.places().await?;
        if let At::Done(made) = self.commit_at(&places, event).await? {
            return Ok(made);
        }
        let places = self.places_again(&places).await?;
        match self.commit_at(&places, event).await? {
            At::Done(made) => Ok(made),
            At::Moved(status) => Err(nowhere(status)),
        }
    }

    async fn commit_at(
        self: &Arc<Self>,
        places: &Places,
        event: &NewEvent,
    ) -> Result<At<Commit>, Fault> {
        let url = event_url(&places.target, &event.uid)?;
        let organizer = self.organizer.as_deref().or(places.address.as_deref());
        let put = self.web.ask(request::put(&url, ical::written(event, organizer))).await;
        let done = match put {
            Ok(reply @ Reply { status: 200..=299, .. }) => Commit::Made(Found {
                url: Some(url.to_string()),
                join_url: event.join_url.clone(),
                version: etag(&reply),
            }),
            Ok(Reply { status: status @ (404 | 409 | 410), .. }) => return Ok(At::Moved(status)),
            Ok(Reply { status: 412, .. }) => self.already_there(event).await?,
            Ok(Reply { status, .. }) if status < 500 => return Err(fault_of(status, WHO)),
            Ok(Reply { status, .. }) => {
                let if_missing = if is_between(status) { Missing::Open } else { Missing::NotMade };
                self.looked_for(event, fault_of(status, WHO), if_missing).await?
            }
            Err(NoReply::NotSent(fault)) => return Err(fault),
            Err(NoReply::Lost(fault)) => self.looked_for(event, fault, Missing::Open).await?,
        };
        Ok(At::Done(done))
    }

    /// Something has the address, or the id, of our event.
    async fn already_there(self: &Arc<Self>, event: &NewEvent) -> Result<Commit, Fault> {
        match self.find(&event.uid).await? {
            Some(found) => Ok(Commit::Existed(found)),
            None => Err(Fault::new(
                FaultCode::Refused,
                "the calendar server says that the event exists, and does not show it",
            )),
        }
    }

    /// Whether the event was made is asked by its id, since the answer does not tell.
    async fn looked_for(
        self: &Arc<Self>,
        event: &NewEvent,
        fault: Fault,
        if_missing: Missing,
    ) -> Result<Commit, Fault> {
        let code = match (self.find(&event.uid).await, if_missing) {
            (Ok(Some(found)), _) => return Ok(Commit::Made(found)),
            (Ok(None), Missing::NotMade) => FaultCode::Unavailable,
            (Ok(None), Missing::Open) | (Err(_), _) => FaultCode::Timeout,
        };
        Err(Fault::new(code, fault.message))
    }
}

/// What it means that an event is not there after a request that failed.
#[derive(Debug, Clone, Copy)]
enum Missing {
    /// The server is done with the request.
    NotMade,
    /// The server may still be at it: what was sent can be stored after we looked.
    Open,
}

/// Whether a status comes from somebody on the way who lost the server out of sight.
const fn is_between(status: u16) -> bool {
    matches!(status, 502 | 504)
}

fn etag(reply: &Reply) -> Option<String> {
    reply.headers.get(ETAG).and_then(|it| it.to_str().ok()).map(str::to_owned)
}

fn event_url(calendar: &Url, uid: &str) -> Result<Url, Fault> {
    let odd = || Fault::new(FaultCode::Refused, "the id of the event makes no address");
    calendar.join(&format!("{uid}.ics")).map_err(|_| odd())
}
