//! The calendar as a handler sees it: look, keep drafts, commit one. Times are found and ranked by
//! `aileron-calendar`.

mod draft;
mod hours;
mod meaning;
mod zone;

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use self::draft::{EventDraft, ProposalRequest};
pub use self::hours::{Hours, UnreadableHours, Weekdays, WrittenHours};
pub use self::meaning::{CallMeaning, meanings};
pub use self::zone::{Zone, ZoneError};
use crate::{Answer, Caller};

/// Reads calendars and makes events.
pub trait Calendar: Send + Sync + fmt::Debug {
    /// When people are busy, one entry for each address asked. If it is asked for, there is one more
    /// for the organizer, unless they are among those addresses or nobody knows their calendar.
    fn free_busy(&self, caller: &Caller, request: FreeBusyRequest) -> Answer<Vec<Availability>>;

    /// Keeps drafts for this conversation until they expire.
    fn save_drafts(&self, caller: &Caller, request: SaveDrafts) -> Answer<()>;

    /// A draft of this conversation. Once an event was begun or made of it, it has an `event_id`.
    fn draft(&self, caller: &Caller, request: DraftRequest) -> Answer<Option<Value>>;

    /// Makes the event of a draft, once: the same draft, or the same key, gives the event that was
    /// made before. Where somebody who was free became busy, nothing is made
    /// ([`Conflict`](crate::FaultCode::Conflict)).
    fn create_event(&self, caller: &Caller, request: CreateEvent) -> Answer<CreatedEvent>;

    /// Who tells the attendees of an event that it was made.
    fn invitations(&self) -> Invitations {
        Invitations::NotSent
    }

    /// Whether an event that wants a meeting link gets one.
    fn makes_links(&self) -> bool {
        true
    }

    /// What holds when a request does not say.
    fn preferences(&self) -> Preferences {
        Preferences::default()
    }
}

/// Who tells the attendees of an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Invitations {
    /// Nobody: the calendar sends nothing.
    NotSent,
    /// The server that keeps the calendar, if it is one that does.
    LeftToServer,
}

impl Invitations {
    /// What a person who approves an event is to know.
    pub const fn notice(self) -> &'static str {
        match self {
            Self::NotSent => "no invitations are sent",
            Self::LeftToServer => "the calendar server may invite the attendees at once",
        }
    }
}

/// The zone and the working hours of this calendar.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Preferences {
    pub zone: Zone,
    pub hours: Hours,
    pub days: Weekdays,
}

/// Whose time, and which.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FreeBusyRequest {
    pub attendees: Vec<String>,
    /// RFC 3339.
    pub start: String,
    pub end: String,
    /// Whether the one counts too in whose calendar events are made.
    #[serde(default)]
    pub organizer: bool,
}

/// What is known of one person's time.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Availability {
    /// Empty of an organizer whose address is not known.
    pub email: String,
    /// Whether there is a calendar, and all of it could be understood.
    pub readable: bool,
    /// What there is to know of that, such as why it could not be read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remark: Option<String>,
    pub busy: Vec<Span>,
    /// It is that of the organizer, who was not asked for by address.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub organizer: bool,
}

/// From when to when, RFC 3339.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Span {
    pub start: String,
    pub end: String,
}

/// Drafts to keep; each has an `id` and an `expires`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SaveDrafts {
    pub drafts: Vec<Value>,
}

/// Which draft.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DraftRequest {
    pub id: String,
}

/// What to commit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CreateEvent {
    pub draft: Value,
    pub idempotency_key: String,
}

/// An event that was made.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CreatedEvent {
    pub id: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub join_url: Option<String>,
    /// It was there before this request.
    #[serde(default)]
    pub existed: bool,
    /// Somebody changed it since it was made, so it need not be what its draft says.
    #[serde(default)]
    pub changed: bool,
}

/// Whether an address can go into files and requests as it is.
pub fn is_plain_address(email: &str) -> bool {
    let odd = |letter: char| {
        letter.is_control() || letter.is_whitespace() || "\"<>,;:\\".contains(letter)
    };
    email.contains('@') && email.len() <= 254 && !email.contains(odd)
}
