//! The test doubles of a case.

use std::collections::BTreeMap;
use std::sync::Arc;

use aileron_capability::doubles::{
    CalendarContents, ImagesContents, KbContents, MemoryCalendar, MemoryImages, MemoryKb,
    RecordingConversation,
};
use aileron_capability::http::{Exchange, HttpClient};
use aileron_capability::secrets::FixedSecrets;
use aileron_capability::{ManualClock, Platform};
use aileron_contract::Mode;
use jiff::Timestamp;
use serde::Deserialize;
use serde_json::Value;

/// The time of the clock by default: 2026-01-01T00:00:00Z.
const USUAL_NOW: Timestamp = Timestamp::constant(1_767_225_600, 0);

/// The surroundings of a call; an omitted section is empty.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Given {
    pub now: Option<Timestamp>,
    /// The value of `context.user`.
    pub user: Option<Value>,
    pub session: GivenSession,
    pub kb: KbContents,
    pub calendar: CalendarContents,
    pub images: ImagesContents,
    /// The responses of servers.
    pub http: Vec<Exchange>,
    /// The values behind `secret:<NAME>`.
    pub secrets: BTreeMap<String, String>,
}

/// The state of the session.
#[derive(Debug, Clone, Deserialize)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub struct GivenSession {
    pub is_active: bool,
}

impl Default for GivenSession {
    fn default() -> Self {
        Self { is_active: true }
    }
}

/// The platform and the conversation of a call.
#[derive(Debug, Clone)]
pub struct CaseWorld {
    pub platform: Arc<Platform>,
    pub clock: Arc<ManualClock>,
    pub conversation: Arc<RecordingConversation>,
    pub user: Option<Arc<Value>>,
}

impl Given {
    /// New test doubles for one call.
    pub fn world(&self, mode: Mode) -> CaseWorld {
        let now = self.now.unwrap_or(USUAL_NOW).as_millisecond();
        let conversation = RecordingConversation::new(mode);
        conversation.set_active(self.session.is_active);
        CaseWorld {
            platform: Arc::new(self.platform()),
            clock: Arc::new(ManualClock::at(u64::try_from(now).unwrap_or_default())),
            conversation: Arc::new(conversation),
            user: self.user.clone().map(Arc::new),
        }
    }

    fn platform(&self) -> Platform {
        Platform {
            kb: Some(Arc::new(MemoryKb::from(self.kb.clone()))),
            calendar: Some(Arc::new(MemoryCalendar::from(self.calendar.clone()))),
            images: Some(Arc::new(MemoryImages::from(self.images.clone()))),
            // A client without a network cannot have invalid options.
            http: HttpClient::scripted(self.http.clone()).ok().map(Arc::new),
            secrets: Some(Arc::new(FixedSecrets::new(self.secrets.clone()))),
            ..Platform::default()
        }
    }
}
