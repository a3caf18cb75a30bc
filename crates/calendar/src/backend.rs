//! What a place that keeps calendars has to be able to do. Drafts, links and the rule that an
//! event is made once are the engine's.

use std::fmt;

use aileron_runtime::capability::Answer;
use aileron_runtime::capability::calendar::{Invitations, Zone};

use crate::window::Window;

/// A place that keeps calendars.
pub trait Backend: Send + Sync + fmt::Debug {
    /// When these people are busy, one answer for each address, in their order. Addresses are
    /// in lower case.
    fn busy(&self, people: Vec<String>, window: Window) -> Answer<Vec<PersonBusy>>;

    /// Who tells those who attend an event that is made here.
    fn invitations(&self) -> Invitations;

    /// The event of this id, if it is there.
    fn find(&self, uid: String) -> Answer<Option<Found>>;

    /// Makes an event while all in `must_be_free` are free, as far as this place can tell.
    /// An event of the same id is left as it is.
    fn commit(&self, event: NewEvent, must_be_free: Vec<String>) -> Answer<Commit>;
}

/// What is known of one person's time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PersonBusy {
    /// Whether there is a calendar, and all of it could be understood.
    pub readable: bool,
    /// What there is to know of that, such as what could not be understood.
    pub remark: Option<String>,
    /// In order, and no two of them touch.
    pub busy: Vec<Window>,
}

/// An event to make.
#[derive(Debug, Clone, PartialEq)]
pub struct NewEvent {
    pub uid: String,
    pub title: String,
    pub agenda: String,
    pub window: Window,
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
pub struct Found {
    pub url: Option<String>,
    pub join_url: Option<String>,
    /// What changes whenever the event does (its ETag), where the place has such a thing.
    pub version: Option<String>,
}

/// What came of a commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Commit {
    Made(Found),
    /// An event of this id was there already.
    Existed(Found),
    /// So many of those who must be free are busy.
    Taken(usize),
}
