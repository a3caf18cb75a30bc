//! `[calendar]`: where calendars are kept, when people work, and what link an event carries. The
//! settings name secrets, which are in the environment.

use std::collections::BTreeMap;
use std::env;
use std::num::NonZeroU32;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use aileron_calendar::{
    Auth, Backend, CalDav, CalDavSettings, CalendarEngine, Drafts, Folder, LinkSource, Zoom,
    ZoomSettings,
};
use aileron_capability::Clock;
use aileron_capability::calendar::{Hours, Preferences, Weekdays, Zone};
use serde::{Deserialize, Serialize};

use super::HttpSettings;
use crate::output::Failure;

#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct CalendarSettings {
    engine: CalendarEngineKind,
    /// The folder of drafts, and of calendars if those are files.
    pub(crate) path: PathBuf,
    time_zone: String,
    working_hours: Hours,
    days: Weekdays,
    /// The organizer's address; empty means none, or the one that the server reports.
    organizer: String,
    caldav: ServerSettings,
    link: LinkSettings,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum CalendarEngineKind {
    /// iCalendar files in the folder.
    Files,
    Caldav,
    None,
}

#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct ServerSettings {
    url: String,
    user: String,
    /// The environment variable that has the password.
    password: String,
    /// The environment variable that has a bearer token.
    token: String,
    calendar: String,
    timeout_seconds: NonZeroU32,
    people: BTreeMap<String, String>,
}

#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct LinkSettings {
    kind: LinkKind,
    pattern: String,
    zoom: ZoomNames,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum LinkKind {
    None,
    Pattern,
    Zoom,
}

/// The environment variables with the credentials of Zoom.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct ZoomNames {
    account: String,
    client_id: String,
    client_secret: String,
    user: String,
    token_url: String,
    api_url: String,
}

impl Default for CalendarSettings {
    fn default() -> Self {
        Self {
            engine: CalendarEngineKind::Files,
            path: PathBuf::from(".aileron/calendar"),
            time_zone: "UTC".to_owned(),
            working_hours: Hours::default(),
            days: Weekdays::default(),
            organizer: String::new(),
            caldav: ServerSettings::default(),
            link: LinkSettings::default(),
        }
    }
}

impl Default for ServerSettings {
    fn default() -> Self {
        Self {
            url: String::new(),
            user: String::new(),
            password: String::new(),
            token: String::new(),
            calendar: String::new(),
            timeout_seconds: NonZeroU32::MIN.saturating_add(4),
            people: BTreeMap::new(),
        }
    }
}

impl Default for LinkSettings {
    fn default() -> Self {
        Self { kind: LinkKind::None, pattern: String::new(), zoom: ZoomNames::default() }
    }
}

impl Default for ZoomNames {
    fn default() -> Self {
        Self {
            account: "ZOOM_ACCOUNT_ID".to_owned(),
            client_id: "ZOOM_CLIENT_ID".to_owned(),
            client_secret: "ZOOM_CLIENT_SECRET".to_owned(),
            user: "me".to_owned(),
            token_url: "https://zoom.us".to_owned(),
            api_url: "https://api.zoom.us/v2".to_owned(),
        }
    }
}

impl CalendarSettings {
    /// Whether there is no calendar.
    pub(crate) fn is_off(&self) -> bool {
        self.engine == CalendarEngineKind::None
    }

    /// The engine; it reads nothing yet.
    pub(crate) fn engine(
        &self,
        http: &HttpSettings,
        clock: Arc<dyn Clock>,
    ) -> Result<Option<CalendarEngine>, Failure> {
        let zone = Zone::named(&self.time_zone).map_err(|error| wrong(&error.to_string()))?;
        let backend: Arc<dyn Backend> = match self.engine {
            CalendarEngineKind::None => return Ok(None),
            CalendarEngineKind::Files => Arc::new(self.folder(zone.clone())),
            CalendarEngineKind::Caldav => Arc::new(self.server(http, zone.clone())?),
        };
        let preferences = Preferences { zone, hours: self.working_hours, days: self.days.clone() };
        let drafts = Drafts::at(&self.path.join("drafts.db"));
        let link = self.link.link(http)?;
        Ok(Some(CalendarEngine::new(backend, drafts, link, preferences, clock)))
    }

    /// Indexes calendar files in advance. Faults are reported to later requests.
    pub(crate) async fn prepare(&self) {
        if let (CalendarEngineKind::Files, Ok(zone)) = (self.engine, Zone::named(&self.time_zone)) {
            let _ = self.folder(zone).prepare().await;
        }
    }

    fn folder(&self, zone: Zone) -> Folder {
        Folder::at(&self.path, zone, named(&self.organizer))
    }

    fn server(&self, http: &HttpSettings, zone: Zone) -> Result<CalDav, Failure> {
        let server = &self.caldav;
        if server.url.is_empty() {
            return Err(wrong("expected `caldav.url`, the address of the server"));
        }
        let settings = CalDavSettings {
            url: server.url.clone(),
            auth: server.auth()?,
            calendar: named(&server.calendar),
            organizer: named(&self.organizer),
            people: server.people.clone(),
            zone,
            timeout: Duration::from_secs(server.timeout_seconds.get().into()),
            allow_plain: http.allows_plain(&server.url),
            extra_roots: http.options()?.extra_roots,
        };
        CalDav::new(settings).map_err(|why| wrong(&why))
    }
}

impl ServerSettings {
    fn auth(&self) -> Result<Auth, Failure> {
        match (self.user.is_empty(), self.password.is_empty(), self.token.is_empty()) {
            (true, true, true) => Ok(Auth::None),
            (true, true, false) => secret(&self.token).map(Auth::Bearer),
            (false, false, true) => {
                let password = secret(&self.password)?;
                Ok(Auth::Basic { user: self.user.clone(), password })
            }
            _ => Err(wrong("expected `user` and `password`, or `token` alone, or none of them")),
        }
    }
}

impl LinkSettings {
    fn link(&self, http: &HttpSettings) -> Result<LinkSource, Failure> {
        match self.kind {
            LinkKind::None => Ok(LinkSource::None),
            LinkKind::Pattern => {
                LinkSource::pattern(&self.pattern).map_err(|error| wrong(&error.to_string()))
            }
            LinkKind::Zoom => {
                let names = &self.zoom;
                let zoom = Zoom::new(ZoomSettings {
                    account: secret(&names.account)?,
                    client_id: secret(&names.client_id)?,
                    client_secret: secret(&names.client_secret)?,
                    user: names.user.clone(),
                    token_base: names.token_url.clone(),
                    api_base: names.api_url.clone(),
                    plain_hosts: http.allow_plain.clone(),
                });
                let zoom = zoom.map_err(|error| wrong(&error.to_string()))?;
                Ok(LinkSource::Zoom(Arc::new(zoom)))
            }
        }
    }
}

fn secret(name: &str) -> Result<String, Failure> {
    let value = env::var(name).ok().filter(|value| !value.is_empty());
    value.ok_or_else(|| {
        wrong(&format!("expected a value in the environment variable {name}, found none"))
    })
}

fn named(text: &str) -> Option<String> {
    (!text.is_empty()).then(|| text.to_owned())
}

fn wrong(why: &str) -> Failure {
    Failure::Usage(format!("[calendar] cannot be used: {why}"))
}

#[cfg(test)]
#[path = "calendar_tests.rs"]
mod tests;
