//! Converts a draft to an event. The draft is checked, because any tool may store drafts.

use aileron_capability::calendar::{EventDraft, Preferences, Zone, is_plain_address};
use aileron_capability::{CapabilityFault, FaultCode};
use jiff::Timestamp;
use serde::Deserialize;
use serde_json::Value;

use crate::backend::{NewEvent, RequiredAttendees};
use crate::drafts::NewDraft;
use crate::window::TimeWindow;

const MOST_BYTES: usize = 64 * 1024;
const MOST_ATTENDEES: usize = 100;
/// Maximum lifetime of a draft: 30 days.
const LONGEST_MS: i64 = 30 * 24 * 3_600_000;

/// The event of a draft, and the people who must be free for it.
#[derive(Debug, Clone)]
pub(super) struct EventRequest {
    pub(super) event: NewEvent,
    pub(super) must_be_free: RequiredAttendees,
}

impl EventRequest {
    pub(super) fn read(
        content: &str,
        uid: String,
        usual: &Preferences,
        now_ms: i64,
    ) -> Result<Self, CapabilityFault> {
        let draft: EventDraft =
            serde_json::from_str(content).map_err(|error| unreadable(&error))?;
        let busy: Vec<String> = draft.busy.iter().map(|email| email.to_lowercase()).collect();
        let attendees: Vec<String> =
            draft.attendees.iter().map(|email| email.to_lowercase()).collect();
        let zone = draft.time_zone.as_deref().and_then(|name| Zone::named(name).ok());
        let people = attendees.iter().filter(|email| !busy.contains(email)).cloned().collect();
        Ok(Self {
            must_be_free: RequiredAttendees { people, organizer: !draft.organizer_busy },
            event: NewEvent {
                uid,
                window: TimeWindow::read(&draft.start, &draft.end)?,
                title: draft.title,
                agenda: draft.agenda,
                zone: zone.unwrap_or_else(|| usual.zone.clone()),
                attendees,
                join_url: None,
                wants_link: draft.video_link,
                stamp: Timestamp::from_millisecond(now_ms).unwrap_or(Timestamp::UNIX_EPOCH),
            },
        })
    }
}

/// Checks a draft before it is stored.
pub(super) fn kept(draft: &Value, now_ms: i64) -> Result<NewDraft, CapabilityFault> {
    let read = EventDraft::deserialize(draft).map_err(|error| unreadable(&error))?;
    TimeWindow::read(&read.start, &read.end)?;
    check_people(&read)?;
    let expires: Timestamp = read.expires.parse().map_err(|_| {
        refused(format!("expected an RFC 3339 date-time in `expires`, found {:?}", read.expires))
    })?;
    let content = draft.to_string();
    if content.len() > MOST_BYTES {
        return Err(refused(format!("expected a draft of at most {MOST_BYTES} bytes")));
    }
    let expires_ms = expires.as_millisecond().min(now_ms.saturating_add(LONGEST_MS));
    Ok(NewDraft { id: read.id, content, expires_ms })
}

/// Addresses are written into files and requests unescaped, so they are checked.
fn check_people(draft: &EventDraft) -> Result<(), CapabilityFault> {
    if draft.attendees.len() > MOST_ATTENDEES {
        return Err(refused(format!("expected at most {MOST_ATTENDEES} attendees")));
    }
    match draft.attendees.iter().find(|email| !is_plain_address(email)) {
        None => Ok(()),
        Some(odd) => Err(refused(format!("expected a plain email address, found {odd:?}"))),
    }
}

fn unreadable(error: &serde_json::Error) -> CapabilityFault {
    refused(format!("expected a draft of an event: {error}"))
}

fn refused(message: String) -> CapabilityFault {
    CapabilityFault::new(FaultCode::Refused, message)
}
