//! Calendars in memory: busy times, the drafts of each conversation, and the events created from
//! them. An unlisted address cannot be read.

use std::collections::BTreeMap;
use std::sync::Mutex;

use aileron_contract::ConversationId;
use jiff::Timestamp;
use serde::Deserialize;
use serde_json::Value;

use super::{answer, check, locked, stable_id, timestamp};
use crate::calendar::{
    Availability, CreateEvent, CreatedEvent, DraftRequest, FreeBusyRequest, SaveDrafts, Span,
};
use crate::{Answer, Calendar, Caller, CapabilityFault, FaultCode};

/// The initial contents of the calendars.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CalendarContents {
    /// Busy times by address.
    pub busy: BTreeMap<String, Vec<Span>>,
    /// The address in whose calendar events are created.
    pub organizer: Option<String>,
    /// Drafts that every conversation may read.
    pub drafts: Vec<Value>,
    /// The fault of every call.
    pub error: Option<CapabilityFault>,
}

/// Calendars in memory. Drafts are kept for as long as the process runs.
#[derive(Debug, Default)]
pub struct MemoryCalendar {
    state: Mutex<CalendarDoubleState>,
    error: Option<CapabilityFault>,
}

#[derive(Debug, Default)]
struct CalendarDoubleState {
    /// By address in lower case.
    busy: BTreeMap<String, Vec<Span>>,
    organizer: Option<String>,
    drafts: Vec<DoubleDraft>,
    /// By conversation and key.
    events: BTreeMap<(ConversationId, String), CreatedEvent>,
}

#[derive(Debug)]
struct DoubleDraft {
    /// `None`: every conversation may read it.
    owner: Option<ConversationId>,
    content: Value,
}

impl From<CalendarContents> for MemoryCalendar {
    fn from(contents: CalendarContents) -> Self {
        let CalendarContents { busy, organizer, drafts, error } = contents;
        let drafts =
            drafts.into_iter().map(|content| DoubleDraft { owner: None, content }).collect();
        let busy =
            busy.into_iter().map(|(address, spans)| (address.to_lowercase(), spans)).collect();
        let organizer = organizer.map(|address| address.to_lowercase());
        let state = CalendarDoubleState { busy, organizer, drafts, events: BTreeMap::new() };
        Self { state: Mutex::new(state), error }
    }
}

impl Calendar for MemoryCalendar {
    fn free_busy(&self, _caller: &Caller, request: FreeBusyRequest) -> Answer<Vec<Availability>> {
        answer(self.with(|state| state.free_busy(request)))
    }

    fn save_drafts(&self, caller: &Caller, request: SaveDrafts) -> Answer<()> {
        let mut drafts = request.drafts.into_iter();
        answer(self.with(|state| drafts.try_for_each(|draft| state.save(caller, draft))))
    }

    fn draft(&self, caller: &Caller, request: DraftRequest) -> Answer<Option<Value>> {
        answer(self.with(|state| Ok(state.draft(caller, &request.id).cloned())))
    }

    fn create_event(&self, caller: &Caller, request: CreateEvent) -> Answer<CreatedEvent> {
        answer(self.with(|state| state.create(caller, request)))
    }
}

impl MemoryCalendar {
    fn with<T>(
        &self,
        act: impl FnOnce(&mut CalendarDoubleState) -> Result<T, CapabilityFault>,
    ) -> Result<T, CapabilityFault> {
        check(self.error.as_ref())?;
        act(&mut locked(&self.state))
    }
}

impl CalendarDoubleState {
    fn free_busy(&self, request: FreeBusyRequest) -> Result<Vec<Availability>, CapabilityFault> {
        let asked = Interval::read(&request.start, &request.end)?;
        let overlaps = |span: &&Span| {
            Interval::read(&span.start, &span.end).is_ok_and(|busy| busy.overlaps(&asked))
        };
        let availability = |email: String, organizer: bool| {
            let calendar = self.busy.get(&email.to_lowercase());
            let busy = calendar.into_iter().flatten().filter(overlaps).cloned().collect();
            Availability { email, readable: calendar.is_some(), remark: None, busy, organizer }
        };
        let besides = self.organizer_besides(&request.attendees).filter(|_| request.organizer);
        let attendees = request.attendees.into_iter().map(|email| availability(email, false));
        Ok(attendees.chain(besides.map(|email| availability(email, true))).collect())
    }

    fn organizer_besides(&self, people: &[String]) -> Option<String> {
        let organizer = self.organizer.as_ref()?;
        let among = people.iter().any(|email| email.eq_ignore_ascii_case(organizer));
        (!among).then(|| organizer.clone())
    }

    fn save(&mut self, caller: &Caller, content: Value) -> Result<(), CapabilityFault> {
        let Some(id) = id(&content) else {
            return Err(refused("expected a draft with an `id`"));
        };
        let owner = Some(caller.conversation.clone());
        self.drafts.retain(|draft| draft.owner != owner || self::id(&draft.content) != Some(id));
        self.drafts.push(DoubleDraft { owner, content });
        Ok(())
    }

    /// A draft that this conversation may see.
    fn draft(&mut self, caller: &Caller, id: &str) -> Option<&mut Value> {
        let visible = |owner: &Option<ConversationId>| {
            owner.as_ref().is_none_or(|owner| *owner == caller.conversation)
        };
        let mut drafts = self.drafts.iter_mut().filter(|draft| visible(&draft.owner));
        drafts.find(|draft| self::id(&draft.content) == Some(id)).map(|draft| &mut draft.content)
    }

    /// The same key or the same draft returns the event that was already created.
    fn create(
        &mut self,
        caller: &Caller,
        request: CreateEvent,
    ) -> Result<CreatedEvent, CapabilityFault> {
        let key = (caller.conversation.clone(), request.idempotency_key);
        if let Some(made) = self.events.get(&key) {
            return Ok(CreatedEvent { existed: true, ..made.clone() });
        }
        let draft = id(&request.draft).and_then(|id| self.draft(caller, id));
        let draft = draft.ok_or_else(|| refused("there is no such draft"))?;
        if let Some(made) = draft.get("event_id").and_then(Value::as_str) {
            let made = event(made.to_owned(), draft);
            return Ok(CreatedEvent { existed: true, ..made });
        }
        let mut booked = draft.clone();
        self.require_free(&booked)?;
        let event = event(stable_id("event_", caller, &key.1, 0), &booked);
        booked["event_id"] = event.id.clone().into();
        if let Some(draft) = id(&request.draft).and_then(|id| self.draft(caller, id)) {
            draft.clone_from(&booked);
        }
        self.block(&booked);
        self.events.insert(key, event.clone());
        Ok(event)
    }

    /// Fails if an attendee who was free when the draft was made is now busy.
    fn require_free(&self, draft: &Value) -> Result<(), CapabilityFault> {
        let text = |field: &str| draft.get(field).and_then(Value::as_str).unwrap_or_default();
        let Ok(time) = Interval::read(text("start"), text("end")) else { return Ok(()) };
        let taken = |address: &String| {
            let busy = self.busy.get(address).into_iter().flatten();
            busy.filter_map(|it| Interval::read(&it.start, &it.end).ok())
                .any(|it| it.overlaps(&time))
        };
        let (known, attendees) = (addresses(draft, "busy"), addresses(draft, "attendees"));
        let busy = draft.get("organizer_busy").and_then(Value::as_bool).unwrap_or_default();
        let organizer = self.organizer_besides(&attendees).filter(|_| !busy);
        let newly = attendees.into_iter().filter(|it| !known.contains(it)).chain(organizer);
        match newly.filter(taken).count() {
            0 => Ok(()),
            count => {
                let message = format!("{count} of the attendees became busy at that time");
                Err(CapabilityFault::new(FaultCode::Conflict, message))
            }
        }
    }

    /// Marks the time of an event in the calendars that can be read.
    fn block(&mut self, draft: &Value) {
        let text = |field: &str| draft.get(field).and_then(Value::as_str).unwrap_or_default();
        let span = Span { start: text("start").to_owned(), end: text("end").to_owned() };
        let attendees = addresses(draft, "attendees");
        let organizer = self.organizer_besides(&attendees);
        for address in attendees.into_iter().chain(organizer) {
            if let Some(calendar) = self.busy.get_mut(&address) {
                calendar.push(span.clone());
            }
        }
    }
}

/// Links under `.invalid` cannot be resolved, and show that they are not real.
fn event(id: String, draft: &Value) -> CreatedEvent {
    let video = draft.get("video_link").and_then(Value::as_bool).unwrap_or_default();
    CreatedEvent {
        url: Some(format!("https://calendar.invalid/{id}")),
        join_url: video.then(|| format!("https://calendar.invalid/{id}/join")),
        id,
        existed: false,
        changed: false,
    }
}

/// A list of addresses of a draft, in lower case.
fn addresses(draft: &Value, field: &str) -> Vec<String> {
    let listed = draft.get(field).and_then(Value::as_array).into_iter().flatten();
    listed.filter_map(Value::as_str).map(str::to_lowercase).collect()
}

fn id(draft: &Value) -> Option<&str> {
    draft.get("id").and_then(Value::as_str)
}

fn refused(why: &str) -> CapabilityFault {
    CapabilityFault::new(FaultCode::Refused, why)
}

/// The time from one moment to another.
struct Interval {
    start: Timestamp,
    end: Timestamp,
}

impl Interval {
    fn read(start: &str, end: &str) -> Result<Self, CapabilityFault> {
        Ok(Self { start: timestamp(start)?, end: timestamp(end)? })
    }

    fn overlaps(&self, other: &Self) -> bool {
        self.start < other.end && other.start < self.end
    }
}

#[cfg(test)]
#[path = "calendar_tests.rs"]
mod tests;
