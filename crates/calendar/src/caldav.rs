//! Calendars on a server, over CalDAV (RFC 4791). `request` builds requests, `multistatus` reads
//! responses, `discovery` finds the calendars and `places` caches them; `busy` reads busy times,
//! `event` finds and creates events.
//!
//! CalDAV cannot check and write in one step: a slot that another client books between our last
//! check and our PUT is booked twice. An event is never created twice, because its URL is derived
//! from its id (`If-None-Match: *`).

mod busy;
mod discovery;
mod event;
mod multistatus;
mod places;
mod request;
mod web;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use aileron_capability::Answer;
use aileron_capability::calendar::{Invitations, Zone};
use aileron_http::service::{Service, require_tls, secret_header};
use futures_util::FutureExt;
use reqwest::header::{AUTHORIZATION, HeaderMap};
use url::Url;

use self::places::Directory;
use self::web::DavClient;
use crate::backend::{Backend, Commit, FreeBusy, NewEvent, RequiredAttendees, StoredEvent};
use crate::window::TimeWindow;

/// Maximum bytes of an answer.
const MOST_BYTES: usize = 32 << 20;

/// The settings of a CalDAV server.
#[derive(Debug, Clone)]
pub struct CalDavSettings {
    /// The URL of the server, a principal, or a calendar.
    pub url: String,
    pub auth: Auth,
    /// The calendar in which events are created, by its name or the last part of its URL; by
    /// default the first one.
    pub calendar: Option<String>,
    /// The organizer's address; by default the one that the server reports.
    pub organizer: Option<String>,
    /// The URLs of other people's calendars, by address.
    pub people: BTreeMap<String, String>,
    /// The zone of times without a zone.
    pub zone: Zone,
    pub timeout: Duration,
    /// Whether plain http to the server is allowed.
    pub allow_plain: bool,
    /// Root certificates in PEM, trusted in addition to the platform's.
    pub extra_roots: Option<String>,
}

/// The credentials.
#[derive(Clone)]
pub enum Auth {
    None,
    Basic { user: String, password: String },
    Bearer(String),
}

impl fmt::Debug for Auth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::None => "None",
            Self::Basic { .. } => "Basic",
            Self::Bearer(_) => "Bearer",
        })
    }
}

/// Calendars on a server.
#[derive(Debug, Clone)]
pub struct CalDav(Arc<CalDavInner>);

#[derive(Debug)]
struct CalDavInner {
    web: DavClient,
    base: Url,
    calendar: Option<String>,
    organizer: Option<String>,
    people: BTreeMap<String, Url>,
    zone: Zone,
    directory: Directory,
}

impl CalDav {
    /// A client; sends no request yet.
    pub fn new(settings: CalDavSettings) -> Result<Self, String> {
        let base = base(&settings)?;
        let mut headers = HeaderMap::new();
        if let Some(header) = settings.auth.header()? {
            headers.insert(AUTHORIZATION, header);
        }
        let roots = settings.extra_roots.as_deref();
        let web = Service::new(headers, settings.timeout, MOST_BYTES, roots)?;
        let people = settings.people.iter().map(|(who, place)| {
            let url =
                base.join(place).map_err(|_| format!("expected an address, found {place:?}"))?;
            match url.origin() == base.origin() {
                true => Ok((who.to_lowercase(), discovery::folder(url))),
                false => Err(format!("expected a calendar on the same server, found {place:?}")),
            }
        });
        Ok(Self(Arc::new(CalDavInner {
            people: people.collect::<Result<_, String>>()?,
            web: DavClient::new(web),
            base,
            calendar: settings.calendar,
            organizer: settings.organizer.map(|address| address.to_lowercase()),
            zone: settings.zone,
            directory: Directory::default(),
        })))
    }
}

impl Auth {
    fn header(&self) -> Result<Option<reqwest::header::HeaderValue>, String> {
        match self {
            Self::None => Ok(None),
            Self::Basic { user, password } => {
                let login = data_encoding::BASE64.encode(format!("{user}:{password}").as_bytes());
                secret_header(&format!("Basic {login}")).map(Some)
            }
            Self::Bearer(token) => secret_header(&format!("Bearer {token}")).map(Some),
        }
    }
}

/// The URL of the server. The credentials require TLS.
fn base(settings: &CalDavSettings) -> Result<Url, String> {
    let url = Url::parse(&settings.url).map_err(|_| {
        format!("expected the address of a CalDAV server, found {:?}", settings.url)
    })?;
    if !url.username().is_empty() || url.password().is_some() {
        return Err(
            "expected an address without a user in it: name them in the settings".to_owned()
        );
    }
    require_tls(&url, settings.allow_plain)?;
    Ok(url)
}

impl Backend for CalDav {
    fn busy(&self, people: Vec<String>, window: TimeWindow) -> Answer<FreeBusy> {
        let inner = self.0.clone();
        async move { inner.busy(&people, window).await }.boxed()
    }

    /// Servers with scheduling (RFC 6638) send invitations; others do not.
    fn invitations(&self) -> Invitations {
        Invitations::LeftToServer
    }

    fn find(&self, uid: String) -> Answer<Option<StoredEvent>> {
        let inner = self.0.clone();
        async move { inner.find(&uid).await }.boxed()
    }

    /// The engine has just checked who is free, and CalDAV has no lock for a second check.
    fn commit(&self, event: NewEvent, _: RequiredAttendees) -> Answer<Commit> {
        let inner = self.0.clone();
        async move { inner.commit(&event).await }.boxed()
    }
}
