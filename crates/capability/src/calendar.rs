//! The calendar as a handler sees it: read free/busy times, store drafts, create an event.
//! `aileron-calendar` finds and ranks times.

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

/// Reads calendars and creates events.
pub trait Calendar: Send + Sync + fmt::Debug {
    /// The busy times of people, one entry per requested address. If the request includes the
    /// organizer, there is one more entry, unless the organizer is among the addresses or their
    /// calendar is unknown.
    fn free_busy(&self, caller: &Caller, request: FreeBusyRequest) -> Answer<Vec<Availability>>;

    /// Stores drafts for this conversation until they expire.
    fn save_drafts(&self, caller: &Caller, request: SaveDrafts) -> Answer<()>;

    /// A draft of this conversation. It has an `event_id` once an event was started or created from
    /// it.
    fn draft(&self, caller: &Caller, request: DraftRequest) -> Answer<Option<Value>>;

    /// Creates the event of a draft, once: the same draft, or the same key, returns the event that
    /// was already created. If an attendee who was free is now busy, no event is created
    /// ([`Conflict`](crate::FaultCode::Conflict)).
    fn create_event(&self, caller: &Caller, request: CreateEvent) -> Answer<CreatedEvent>;

    /// Which party sends the invitations.
    fn invitations(&self) -> Invitations {
        Invitations::NotSent
    }

    /// Whether an event that wants a meeting link gets one.
    fn makes_links(&self) -> bool {
        true
    }

    /// The defaults for a request that does not set them.
    fn preferences(&self) -> Preferences {
        Preferences::default()
    }
}

/// Which party sends the invitations.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Invitations {
    /// No party: the calendar sends none.
    NotSent,
    /// The server that keeps the calendar, if it supports that.
    LeftToServer,
}

impl Invitations {
    /// The notice for a person who approves an event.
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

/// The addresses, and the period.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FreeBusyRequest {
    pub attendees: Vec<String>,
    /// RFC 3339.
    pub start: String,
    pub end: String,
    /// Whether to include the person in whose calendar events are created.
    #[serde(default)]
    pub organizer: bool,
}

/// The availability of one person.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Availability {
    /// Empty for an organizer whose address is not known.
    pub email: String,
    /// Whether there is a calendar, and all of it could be parsed.
    pub readable: bool,
    /// Details, such as why the calendar could not be read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remark: Option<String>,
    pub busy: Vec<Span>,
    /// The entry of the organizer, who was not requested by address.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub organizer: bool,
}

/// A period of time, RFC 3339.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Span {
    pub start: String,
    pub end: String,
}

/// Drafts to store; each has an `id` and an `expires`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SaveDrafts {
    pub drafts: Vec<Value>,
}

/// The draft to read.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DraftRequest {
    pub id: String,
}

/// The draft to create an event from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CreateEvent {
    pub draft: Value,
    pub idempotency_key: String,
}

/// A created event.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CreatedEvent {
    pub id: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub join_url: Option<String>,
    /// It existed before this request.
    #[serde(default)]
    pub existed: bool,
    /// It was changed after its creation, so it may differ from its draft.
    #[serde(default)]
    pub changed: bool,
}

/// Whether an address can be written to files and requests without escaping.
pub fn is_plain_address(email: &str) -> bool {
    let odd = |letter: char| {
        letter.is_control() || letter.is_whitespace() || "\"<>,;:\\".contains(letter)
    };
    email.contains('@') && email.len() <= 254 && !email.contains(odd)
}
