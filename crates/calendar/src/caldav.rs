//! Calendars on a server, over CalDAV (RFC 4791). What is asked is in `request`, what comes back
//! is read in `multistatus`, where things are is found by `discovery`.
//!
//! The server is the only one who could check and write in one step, and CalDAV has no words for
//! it: a time that somebody takes in the moment between our last look and our PUT is taken twice.
//! An event is never made twice, since its address is made of its id (`If-None-Match: *`).

mod discovery;
mod multistatus;
mod request;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use aileron_runtime::capability::calendar::{Invitations, Zone};
use aileron_runtime::capability::{Answer, Fault, FaultCode};
use futures_util::FutureExt;
use futures_util::future::join_all;
use reqwest::Method;
use reqwest::header::{AUTHORIZATION, HeaderMap};
use tokio::sync::OnceCell;
use url::Url;

use self::discovery::Places;
use self::multistatus::Multistatus;
use crate::backend::{Backend, Commit, Found, NewEvent, PersonBusy};
use crate::ical::{self, BusyTime, Reading};
use crate::window::{Window, merged};
use aileron_runtime::http::service::{Ask, NoReply, Reply, Service, fault_of, secret_header};

const WHO: &str = "the calendar server";

/// What a server may answer with.
const MOST_BYTES: usize = 32 << 20;

/// Where the calendars are and how to use them.
#[derive(Debug, Clone)]
pub struct CalDavSettings {
    /// The server, a principal, or a calendar.
    pub url: String,
    pub auth: Auth,
    /// The calendar that events are made in, by its name or the last part of its address; the
    /// first one if none.
    pub calendar: Option<String>,
    /// The address that invites; the server's word for it if none.
    pub organizer: Option<String>,
    /// Where the calendars of other people are, by their address.
    pub people: BTreeMap<String, String>,
    /// Where times without a zone are meant.
    pub zone: Zone,
    pub timeout: Duration,
    /// Whether the server may be asked without TLS.
    pub allow_plain: bool,
    /// Root certificates in PEM, trusted besides the platform's.
    pub extra_roots: Option<String>,
}

/// Who we are to the server.
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
pub struct CalDav(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    web: Service,
    base: Url,
    calendar: Option<String>,
    organizer: Option<String>,
    people: BTreeMap<String, Url>,
    zone: Zone,
    places: OnceCell<Places>,
}

impl CalDav {
    /// A server that is not asked yet.
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
        Ok(Self(Arc::new(Inner {
            people: people.collect::<Result<_, String>>()?,
            web,
            base,
            calendar: settings.calendar,
            organizer: settings.organizer.map(|address| address.to_lowercase()),
            zone: settings.zone,
            places: OnceCell::new(),
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

/// Credentials go over TLS, or no further than this machine.
fn base(settings: &CalDavSettings) -> Result<Url, String> {
    let url = Url::parse(&settings.url).map_err(|_| {
        format!("expected the address of a CalDAV server, found {:?}", settings.url)
    })?;
    if !url.username().is_empty() || url.password().is_some() {
        return Err(
            "expected an address without a user in it: name them in the settings".to_owned()
        );
    }
    let is_loopback = match url.host() {
        Some(url::Host::Domain(name)) => name == "localhost",
        Some(url::Host::Ipv4(address)) => address.is_loopback(),
        Some(url::Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    };
    match url.scheme() {
        "https" => Ok(url),
        "http" if is_loopback || settings.allow_plain => Ok(url),
        "http" => Err("expected https, found http: list the host in [http] allow_plain to use it all the same".to_owned()),
        other => Err(format!("expected https, found {other:?}")),
    }
}

impl Backend for CalDav {
    fn busy(&self, people: Vec<String>, window: Window) -> Answer<Vec<PersonBusy>> {
        let inner = self.0.clone();
        async move { inner.busy(&people, window).await }.boxed()
    }

    /// Those that know of scheduling (RFC 6638) send them by themselves; others do not.
    fn invitations(&self) -> Invitations {
        Invitations::LeftToServer
    }

    fn find(&self, uid: String) -> Answer<Option<Found>> {
        let inner = self.0.clone();
        async move { inner.find(&uid).await }.boxed()
    }

    /// Who must be free was asked a moment ago, and there is no lock to ask under.
    fn commit(&self, event: NewEvent, _: Vec<String>) -> Answer<Commit> {
        let inner = self.0.clone();
        async move { inner.commit(&event).await }.boxed()
    }
}

/// What one calendar told.
struct Told {
    owner: Option<String>,
    /// None: it may not be read.
    busy: Option<Vec<BusyTime>>,
}

impl Inner {
    async fn places(&self) -> Result<&Places, Fault> {
        let found = self
            .places
            .get_or_try_init(|| discovery::find(&self.web, &self.base, self.calendar.as_deref()));
        found.await
    }

    /// Reads our calendars and those of the people asked for, all at once.
    async fn busy(&self, people: &[String], window: Window) -> Result<Vec<PersonBusy>, Fault> {
        let places = self.places().await?;
        let me = self.organizer.as_ref().or(places.address.as_ref());
        let ours = places.calendars.iter().map(|calendar| (me.cloned(), calendar.clone()));
        let theirs = self.people.iter().filter(|(who, _)| people.contains(who));
        let theirs = theirs.map(|(who, calendar)| (Some(who.clone()), calendar.clone()));
        let mut seen = BTreeSet::new();
        let asked: Vec<_> = ours
            .chain(theirs)
            .filter(|(who, url)| seen.insert((who.clone(), url.to_string())))
            .collect();
        let told = join_all(asked.into_iter().map(|(who, url)| self.told(who, url, window))).await;
        let told = told.into_iter().collect::<Result<Vec<_>, _>>()?;
        Ok(people.iter().map(|who| of_person(who, &told)).collect())
    }

    /// What a calendar says of the window; where it shows no events, when it is busy.
    async fn told(&self, owner: Option<String>, url: Url, window: Window) -> Result<Told, Fault> {
        let reply = self.web.ask(request::events(&url, &window)).await?;
        let texts = match reply.status {
            207 => multistatus(&reply)?.calendar_data(),
            403 | 404 | 405 | 501 => match self.free_busy(&url, &window).await? {
                Some(text) => vec![text],
                None => return Ok(Told { owner, busy: None }),
            },
            status => return Err(fault_of(status, WHO)),
        };
        let reading = Reading { owner: owner.as_deref(), zone: &self.zone, window };
        let mut busy = Vec::new();
        for text in &texts {
            match ical::busy_times(text, &reading) {
                Ok(found) => busy.extend(found),
                Err(_) => return Ok(Told { owner, busy: None }),
            }
        }
        Ok(Told { owner, busy: Some(busy) })
    }

    async fn free_busy(&self, url: &Url, window: &Window) -> Result<Option<String>, Fault> {
        let reply = self.web.ask(request::free_busy(url, window)).await?;
        Ok((reply.status == 200).then(|| reply.text()))
    }

    /// By its address, or wherever the server put it.
    async fn find(&self, uid: &str) -> Result<Option<Found>, Fault> {
        let places = self.places().await?;
        let url = event_url(&places.target, uid)?;
        let reply = self.web.ask(Ask::new(Method::GET, url.clone())).await?;
        match reply.status {
            200 => {
                if let Some(join_url) = ical::join_url(&reply.text(), uid) {
                    return Ok(Some(Found { url: Some(url.to_string()), join_url }));
                }
            }
            404 | 410 => {}
            status => return Err(fault_of(status, WHO)),
        }
        self.find_by_uid(&places.target, uid).await
    }

    async fn find_by_uid(&self, calendar: &Url, uid: &str) -> Result<Option<Found>, Fault> {
        let reply = self.web.ask(request::by_uid(calendar, uid)).await?;
        if reply.status != 207 {
            // A server that cannot search by id has what it has under the address we gave it.
            return Ok(None);
        }
        let found = multistatus(&reply)?.resources.into_iter().find_map(|resource| {
            let join_url = ical::join_url(resource.calendar_data.as_deref()?, uid)?;
            let url = calendar.join(&resource.href).ok()?;
            Some(Found { url: Some(url.to_string()), join_url })
        });
        Ok(found)
    }

    async fn commit(&self, event: &NewEvent) -> Result<Commit, Fault> {
        let places = self.places().await?;
        let url = event_url(&places.target, &event.uid)?;
        let organizer = self.organizer.as_deref().or(places.address.as_deref());
        let put = self.web.ask(request::put(&url, ical::written(event, organizer))).await;
        let made = Found { url: Some(url.to_string()), join_url: event.join_url.clone() };
        match put {
            Ok(Reply { status: 200..=299, .. }) => Ok(Commit::Made(made)),
            Ok(Reply { status: 412, .. }) => self.already_there(event).await,
            Ok(Reply { status, .. }) if status < 500 => Err(fault_of(status, WHO)),
            Ok(Reply { status, .. }) => self.looked_for(event, fault_of(status, WHO)).await,
            Err(NoReply::NotSent(fault)) => Err(fault),
            Err(NoReply::Lost(fault)) => self.looked_for(event, fault).await,
        }
    }

    /// Something has the address, or the id, of our event.
    async fn already_there(&self, event: &NewEvent) -> Result<Commit, Fault> {
        match self.find(&event.uid).await? {
            Some(found) => Ok(Commit::Existed(found)),
            None => Err(Fault::new(
                FaultCode::Refused,
                "the calendar server says that the event exists, and does not show it",
            )),
        }
    }

    /// The answer was lost: whether the event was made is asked by its id.
    async fn looked_for(&self, event: &NewEvent, fault: Fault) -> Result<Commit, Fault> {
        match self.find(&event.uid).await {
            Ok(Some(found)) => Ok(Commit::Made(found)),
            Ok(None) => Err(Fault::new(FaultCode::Unavailable, fault.message)),
            Err(_) => Err(Fault::new(FaultCode::Timeout, fault.message)),
        }
    }
}

fn of_person(who: &String, told: &[Told]) -> PersonBusy {
    let mut own = told.iter().filter(|it| it.owner.as_ref() == Some(who)).peekable();
    let readable = own.peek().is_some() && own.all(|it| it.busy.is_some());
    let all = told.iter().flat_map(|it| it.busy.iter().flatten());
    let busy = all.filter(|it| it.who == *who).map(|it| it.window).collect();
    PersonBusy { readable, busy: merged(busy) }
}

fn event_url(calendar: &Url, uid: &str) -> Result<Url, Fault> {
    let odd = || Fault::new(FaultCode::Refused, "the id of the event makes no address");
    calendar.join(&format!("{uid}.ics")).map_err(|_| odd())
}

fn multistatus(reply: &Reply) -> Result<Multistatus, Fault> {
    Multistatus::read(&reply.text()).map_err(|why| {
        Fault::new(
            FaultCode::Unavailable,
            format!("{WHO} answered with what is no multistatus: {why}"),
        )
    })
}
