//! Zoom meetings by its REST API with server-to-server OAuth.
//!
//! Zoom has no idempotency keys. So the id of the event goes into the meeting's agenda, the attempt
//! is recorded before the request, and a later attempt first searches for the meeting.

use std::time::{Duration, Instant};

use aileron_capability::{CapabilityFault, FaultCode};
use reqwest::Method;
use reqwest::header::{AUTHORIZATION, HeaderMap, HeaderValue};
use serde::{Deserialize, Serialize};
use serde_json::json;
use tokio::sync::Mutex;
use url::Url;

use super::{BEGUN, LinkError};
use crate::backend::NewEvent;
use crate::drafts::Drafts;
use aileron_http::service::{
    HttpCall, HttpReply, RequestError, Service, fault_of, require_tls, secret_header,
};

const MOST_BYTES: usize = 1 << 20;
const TIMEOUT: Duration = Duration::from_secs(8);
/// A token is renewed this long before it ends.
const MARGIN: Duration = Duration::from_secs(60);
/// Maximum lifetime of a token, even if Zoom reports a longer one.
const LONGEST: Duration = Duration::from_secs(24 * 3600);
/// Maximum pages of meetings that are searched.
const MOST_PAGES: usize = 10;
/// The leftover when a meeting cannot be deleted.
const LEFT: &str = "the Zoom meeting that was made for it could not be taken back";
/// The leftover when the answer to a request for a meeting is lost.
const MAYBE: &str =
    "a Zoom meeting may have been made; another attempt with the same draft uses it";

/// The URLs and credentials of Zoom.
#[derive(Clone)]
pub struct ZoomSettings {
    pub account: String,
    pub client_id: String,
    pub client_secret: String,
    /// The user who holds the meetings, by id or address, or `me`.
    pub user: String,
    /// `https://zoom.us`.
    pub token_base: String,
    /// `https://api.zoom.us/v2`.
    pub api_base: String,
    /// Hosts for which plain http is allowed.
    pub plain_hosts: Vec<String>,
}

impl std::fmt::Debug for ZoomSettings {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ZoomSettings").field("user", &self.user).finish_non_exhaustive()
    }
}

/// A client of Zoom.
pub struct Zoom {
    web: Service,
    token_url: Url,
    api_base: Url,
    user: String,
    basic: String,
    token: Mutex<Option<(String, Instant)>>,
}

impl std::fmt::Debug for Zoom {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Zoom").field("user", &self.user).finish_non_exhaustive()
    }
}

/// The stored data of a meeting.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Meeting {
    id: u64,
    join_url: String,
    #[serde(default, skip_serializing)]
    agenda: String,
}

#[derive(Deserialize)]
struct Token {
    access_token: String,
    #[serde(default)]
    expires_in: u64,
}

#[derive(Deserialize)]
struct Page {
    meetings: Vec<Meeting>,
    #[serde(default)]
    next_page_token: String,
}

impl Zoom {
    pub fn new(settings: ZoomSettings) -> Result<Self, LinkError> {
        let web = Service::new(HeaderMap::new(), TIMEOUT, MOST_BYTES, None).map_err(LinkError)?;
        let mut token_url = base(&settings.token_base, &settings.plain_hosts)?;
        token_url.set_path("/oauth/token");
        token_url
            .query_pairs_mut()
            .append_pair("grant_type", "account_credentials")
            .append_pair("account_id", &settings.account);
        let login = format!("{}:{}", settings.client_id, settings.client_secret);
        let basic = format!("Basic {}", data_encoding::BASE64.encode(login.as_bytes()));
        let api_base = base(&settings.api_base, &settings.plain_hosts)?;
        let user = settings.user;
        Ok(Self { web, token_url, api_base, user, basic, token: Mutex::new(None) })
    }

    /// The link of an event's meeting, which is created if it does not exist.
    pub(super) async fn meeting(
        &self,
        event: &NewEvent,
        known: Option<&str>,
        drafts: &Drafts,
    ) -> Result<String, CapabilityFault> {
        match known {
            Some(BEGUN) => {
                if let Some(meeting) = self.search(&event.uid).await? {
                    return self.keep(event, meeting, drafts).await;
                }
            }
            Some(kept) => {
                if let Ok(meeting) = serde_json::from_str::<Meeting>(kept) {
                    return Ok(meeting.join_url);
                }
            }
            None => {}
        }
        drafts.note_link(event.uid.clone(), Some(BEGUN.to_owned())).await?;
        let meeting = self.create(event).await?;
        self.keep(event, meeting, drafts).await
    }

    /// Deletes the meeting of an event that was not created, or reports that it could not.
    pub(super) async fn withdraw(&self, uid: &str, drafts: &Drafts) -> Option<&'static str> {
        match self.deleted(uid, drafts).await {
            Ok(200 | 204 | 404) => {
                // Best effort; the drafts were writable a moment ago.
                let _ = drafts.note_link(uid.to_owned(), None).await;
                None
            }
            Ok(_) | Err(_) => Some(LEFT),
        }
    }

    async fn deleted(&self, uid: &str, drafts: &Drafts) -> Result<u16, CapabilityFault> {
        let kept = drafts.link(uid.to_owned()).await.ok().flatten();
        let kept = kept.and_then(|kept| serde_json::from_str::<Meeting>(&kept).ok());
        let meeting = match kept {
            Some(meeting) => Some(meeting),
            None => self.search(uid).await?,
        };
        let Some(meeting) = meeting else { return Ok(404) };
        let mut url = self.api_base.clone();
        Self::path(&mut url, &["meetings", &meeting.id.to_string()])?;
        Ok(self.ask(HttpCall::new(Method::DELETE, url)).await?.status)
    }

    async fn keep(
        &self,
        event: &NewEvent,
        meeting: Meeting,
        drafts: &Drafts,
    ) -> Result<String, CapabilityFault> {
        let kept = serde_json::to_string(&meeting).unwrap_or_default();
        drafts.note_link(event.uid.clone(), Some(kept)).await?;
        Ok(meeting.join_url)
    }

    async fn create(&self, event: &NewEvent) -> Result<Meeting, CapabilityFault> {
        let length = event.window.end.duration_since(event.window.start).as_secs();
        let meeting = json!({
            "topic": event.title.chars().take(200).collect::<String>(),
            "type": 2,
            "start_time": crate::window::utc(event.window.start),
            "duration": (length + 59) / 60,
            "timezone": "UTC",
            "agenda": marker(&event.uid),
        });
        let ask = HttpCall::new(Method::POST, self.meetings()?)
            .body("application/json", meeting.to_string());
        let open = |fault: CapabilityFault| fault.leaving(MAYBE);
        match self.send(ask).await {
            Ok(reply) if reply.status == 201 => read(&reply).map_err(open),
            Ok(reply) if reply.status >= 500 => Err(open(refusal(reply.status))),
            Ok(reply) => Err(refusal(reply.status)),
            Err(RequestError::NotSent(fault)) => Err(fault),
            Err(RequestError::Lost(fault)) => Err(open(fault)),
        }
    }

    /// Finds the meeting of an event by its agenda.
    async fn search(&self, uid: &str) -> Result<Option<Meeting>, CapabilityFault> {
        let mut url = self.meetings()?;
        let wanted = marker(uid);
        let mut next = String::new();
        for _ in 0..MOST_PAGES {
            url.query_pairs_mut().clear().append_pair("type", "scheduled");
            url.query_pairs_mut().append_pair("page_size", "300");
            if !next.is_empty() {
                url.query_pairs_mut().append_pair("next_page_token", &next);
            }
            let reply = self.ask(HttpCall::new(Method::GET, url.clone())).await?;
            if reply.status != 200 {
                return Err(refusal(reply.status));
            }
            let page: Page = read(&reply)?;
            if let Some(found) = page.meetings.into_iter().find(|it| it.agenda.contains(&wanted)) {
                return Ok(Some(found));
            }
            next = page.next_page_token;
            if next.is_empty() {
                break;
            }
        }
        Ok(None)
    }

    fn meetings(&self) -> Result<Url, CapabilityFault> {
        let mut url = self.api_base.clone();
        Self::path(&mut url, &["users", &self.user, "meetings"])?;
        Ok(url)
    }

    fn path(url: &mut Url, parts: &[&str]) -> Result<(), CapabilityFault> {
        let unusable =
            || CapabilityFault::new(FaultCode::Unavailable, "the address of Zoom takes no path");
        url.path_segments_mut().map_err(|()| unusable())?.pop_if_empty().extend(parts);
        Ok(())
    }

    /// Sends a request that is safe to repeat.
    async fn ask(&self, ask: HttpCall) -> Result<HttpReply, CapabilityFault> {
        self.send(ask).await.map_err(CapabilityFault::from)
    }

    /// Sends a request with a token; a refused token is renewed once.
    async fn send(&self, ask: HttpCall) -> Result<HttpReply, RequestError> {
        let reply = self.send_once(&ask).await?;
        if reply.status != 401 {
            return Ok(reply);
        }
        *self.token.lock().await = None;
        self.send_once(&ask).await
    }

    async fn send_once(&self, ask: &HttpCall) -> Result<HttpReply, RequestError> {
        let token = self.token().await.map_err(RequestError::NotSent)?;
        let token = header(&format!("Bearer {token}")).map_err(RequestError::NotSent)?;
        self.reply(ask.clone().header(AUTHORIZATION, token)).await
    }

    /// The answer; a fault names Zoom.
    async fn reply(&self, ask: HttpCall) -> Result<HttpReply, RequestError> {
        self.web.ask(ask).await.map_err(|no_reply| match no_reply {
            RequestError::NotSent(fault) => RequestError::NotSent(named(fault)),
            RequestError::Lost(fault) => RequestError::Lost(named(fault)),
        })
    }

    async fn token(&self) -> Result<String, CapabilityFault> {
        let mut held = self.token.lock().await;
        if let Some((token, until)) = &*held
            && Instant::now() < *until
        {
            return Ok(token.clone());
        }
        let basic = header(&self.basic)?;
        let ask = HttpCall::new(Method::POST, self.token_url.clone()).header(AUTHORIZATION, basic);
        let reply = self.reply(ask).await?;
        match reply.status {
            200 => {}
            400 | 401 => return Err(refusal(401)),
            status => return Err(refusal(status)),
        }
        let token: Token = read(&reply)?;
        let life = Duration::from_secs(token.expires_in).min(LONGEST).saturating_sub(MARGIN);
        *held = Some((token.access_token.clone(), Instant::now() + life));
        Ok(token.access_token)
    }
}

/// The URL of Zoom. The credentials require TLS.
fn base(text: &str, plain_hosts: &[String]) -> Result<Url, LinkError> {
    let wrong = |why: &str| LinkError(format!("expected an address of Zoom, found {text:?}{why}"));
    let url = Url::parse(&format!("{}/", text.trim_end_matches('/'))).map_err(|_| wrong(""))?;
    let host = url.host_str().unwrap_or_default();
    let plain = plain_hosts.iter().any(|allowed| allowed.eq_ignore_ascii_case(host));
    require_tls(&url, plain).map_err(|why| wrong(&format!(": {why}")))?;
    Ok(url)
}

fn header(secret: &str) -> Result<HeaderValue, CapabilityFault> {
    secret_header(secret).map_err(|why| named(CapabilityFault::new(FaultCode::Auth, why)))
}

fn named(fault: CapabilityFault) -> CapabilityFault {
    as_certain(CapabilityFault::new(fault.code, format!("Zoom: {}", fault.message)))
}

fn refusal(status: u16) -> CapabilityFault {
    as_certain(fault_of(status, "Zoom"))
}

/// A timeout of Zoom leaves the event's outcome certain: not created.
fn as_certain(fault: CapabilityFault) -> CapabilityFault {
    match fault.code {
        FaultCode::Timeout => CapabilityFault { code: FaultCode::Unavailable, ..fault },
        _ => fault,
    }
}

fn marker(uid: &str) -> String {
    format!("[{uid}]")
}

fn read<T: for<'de> Deserialize<'de>>(reply: &HttpReply) -> Result<T, CapabilityFault> {
    serde_json::from_slice(&reply.body).map_err(|_| {
        CapabilityFault::new(FaultCode::Unavailable, "Zoom's answer is not its documented JSON")
    })
}
