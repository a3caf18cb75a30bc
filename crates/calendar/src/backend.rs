//! What a place that keeps calendars has to be able to do. Drafts, links and the rule that an
//! event is made once are the engine's.

use std::fmt;

use aileron_capability::Answer;
use aileron_capability::calendar::{Invitations, Zone};

use crate::window::TimeWindow;

/// A place that keeps calendars.
pub trait Backend: Send + Sync + fmt::Debug {
    /// When these people are busy, one answer for each address, in their order, and when the
    /// organizer is. Addresses are in lower case.
    fn busy(&self, people: Vec<String>, window: TimeWindow) -> Answer<FreeBusy>;

    /// Who tells those who attend an event that is made here.
    fn invitations(&self) -> Invitations;

    /// The event of this id, if it is there.
    fn find(&self, uid: String) -> Answer<Option<StoredEvent>>;

    /// Makes an event while all in `must_be_free` are free, as far as this place can tell.
    /// An event of the same id is left as it is.
    fn commit(&self, event: NewEvent, must_be_free: RequiredAttendees) -> Answer<Commit>;
}

/// What is known of everybody's time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FreeBusy {
    /// Of those who were asked for, in their order.
    pub people: Vec<PersonBusy>,
    /// Of the one in whose calendar events are made, where that is known.
    pub organizer: Option<Organizer>,
}

/// The one in whose calendar events are made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Organizer {
    /// In lower case; empty where nobody knows it.
    pub address: String,
    pub time: PersonBusy,
}

/// Who has to be free for an event.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RequiredAttendees {
    pub people: Vec<String>,
    /// The organizer too, unless they are an attendee: then they are among the people, or known to
    /// be busy.
    pub organizer: bool,
}

impl FreeBusy {
    /// The organizer, unless they are one of these.
    pub(crate) fn organizer_besides(self, people: &[String]) -> Option<Organizer> {
        self.organizer.filter(|it| !people.contains(&it.address))
    }

    /// How many are busy of those who must be free for an event, and were asked for.
    pub(crate) fn taken(self, event: &NewEvent, must_be_free: &RequiredAttendees) -> usize {
        let people = self.people.iter().filter(|person| !person.busy.is_empty()).count();
        let organizer = self.organizer_besides(&event.attendees);
        let organizer = organizer.filter(|it| must_be_free.organizer && !it.time.busy.is_empty());
        people + usize::from(organizer.is_some())
    }
}

/// What is known of one person's time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PersonBusy {
    /// Whether there is a calendar, and all of it could be understood.
    pub readable: bool,
    /// What there is to know of that, such as what could not be understood.
    pub remark: Option<String>,
    /// In order, and no two of them touch.
    pub busy: Vec<TimeWindow>,
}

/// An event to make.
#[derive(Debug, Clone, PartialEq)]
pub struct NewEvent {
    pub uid: String,
    pub title: String,
    pub agenda: String,
    pub window: TimeWindow,
    /// The zone in which it is shown.
    pub zone: Zone,
    pub attendees: Vec<String>,
    /// Whether it should have a meeting link.
    pub wants_link: bool,
    pub join_url: Option<String>,
    /// When it is made.
    pub stamp: jiff::Timestamp,
}

impl NewEvent {
    /// The same event with this link.
    #[must_use]
    pub fn with_link(self, join_url: Option<String>) -> Self {
        Self { join_url, ..self }
    }
}

/// An event that is there.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StoredEvent {
    pub url: Option<String>,
    pub join_url: Option<String>,
    /// What changes whenever the event does (its ETag), where the place has such a thing.
    pub version: Option<String>,
}

/// What came of a commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Commit {
    Made(StoredEvent),
    /// An event of this id was there already.
    Existed(StoredEvent),
    /// So many of those who must be free are busy.
    Taken(usize),
}
