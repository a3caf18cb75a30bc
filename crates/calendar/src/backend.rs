//! The interface of a calendar backend. The engine handles drafts, links and the rule that an event
//! is created once.

use std::fmt;

use aileron_capability::Answer;
use aileron_capability::calendar::{Invitations, Zone};

use crate::window::TimeWindow;

/// A calendar backend.
pub trait Backend: Send + Sync + fmt::Debug {
    /// The busy times of these people, in their order, and of the organizer. Addresses are in lower
    /// case.
    fn busy(&self, people: Vec<String>, window: TimeWindow) -> Answer<FreeBusy>;

    /// The sender of invitations for events that this backend creates.
    fn invitations(&self) -> Invitations;

    /// The event of this id, if it exists.
    fn find(&self, uid: String) -> Answer<Option<StoredEvent>>;

    /// Creates an event if all in `must_be_free` are free, as known to this backend. An existing
    /// event of the same id is not changed.
    fn commit(&self, event: NewEvent, must_be_free: RequiredAttendees) -> Answer<Commit>;
}

/// The busy times of all people.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FreeBusy {
    /// The requested people, in their order.
    pub people: Vec<PersonBusy>,
    /// The owner of the calendar in which events are created, if known.
    pub organizer: Option<Organizer>,
}

/// The owner of the calendar in which events are created.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Organizer {
    /// In lower case; empty if unknown.
    pub address: String,
    pub time: PersonBusy,
}

/// The people who must be free for an event.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RequiredAttendees {
    pub people: Vec<String>,
    /// Whether the organizer must be free too. An organizer who is an attendee is among the people,
    /// or is known to be busy.
    pub organizer: bool,
}

impl FreeBusy {
    /// The organizer, unless they are one of these.
    pub(crate) fn organizer_besides(self, people: &[String]) -> Option<Organizer> {
        self.organizer.filter(|it| !people.contains(&it.address))
    }

    /// The number of busy people among those who must be free for an event.
    pub(crate) fn taken(self, event: &NewEvent, must_be_free: &RequiredAttendees) -> usize {
        let people = self.people.iter().filter(|person| !person.busy.is_empty()).count();
        let organizer = self.organizer_besides(&event.attendees);
        let organizer = organizer.filter(|it| must_be_free.organizer && !it.time.busy.is_empty());
        people + usize::from(organizer.is_some())
    }
}

/// The busy times of one person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PersonBusy {
    /// Whether a calendar exists and was read completely.
    pub readable: bool,
    /// A remark about that, such as the part that could not be read.
    pub remark: Option<String>,
    /// Sorted; no two of them touch.
    pub busy: Vec<TimeWindow>,
}

/// An event to make.
#[derive(Debug, Clone, PartialEq)]
pub struct NewEvent {
    pub uid: String,
    pub title: String,
    pub agenda: String,
    pub window: TimeWindow,
    /// The time zone for display.
    pub zone: Zone,
    pub attendees: Vec<String>,
    /// Whether it should have a meeting link.
    pub wants_link: bool,
    pub join_url: Option<String>,
    /// The creation time.
    pub stamp: jiff::Timestamp,
}

impl NewEvent {
    /// The same event with this link.
    #[must_use]
    pub fn with_link(self, join_url: Option<String>) -> Self {
        Self { join_url, ..self }
    }
}

/// An existing event.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StoredEvent {
    pub url: Option<String>,
    pub join_url: Option<String>,
    /// The version of the event (its ETag), if the backend has one.
    pub version: Option<String>,
}

/// The result of a commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Commit {
    Made(StoredEvent),
    /// An event of this id existed already.
    Existed(StoredEvent),
    /// This number of the people who must be free are busy.
    Taken(usize),
}
