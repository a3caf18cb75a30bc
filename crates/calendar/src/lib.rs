//! Calendars behind the `calendar` capability. It knows no tools.
//!
//! - `engine` is common to all backends: durable drafts bound to a conversation (`drafts`, SQLite),
//!   an event id that is stored with its draft before the event is created, one attempt at a time
//!   for each draft (`draft_locks`), and the meeting link (`link`).
//! - A `Backend` stores calendars: `folder` (iCalendar files of any program, with an index of the
//!   days of each file, checked against modification times and lengths) or `caldav` (discovery,
//!   REPORT, PUT with `If-None-Match: *`, ETags that show changes).
//! - `ical` reads busy times and reports the parts that it cannot understand. The `calcard` crate
//!   parses the grammar and recurrence rules; time zones (`ical/zones`) and daylight saving are
//!   handled here. `ical/prefilter` skips events on other days before they are parsed; a test
//!   compares the partial result with the full one.
//! - `proposal` finds and ranks times over any calendar and drafts an event for each; `slots` is
//!   its pure part.

mod backend;
mod caldav;
mod draft_locks;
mod drafts;
mod engine;
mod folder;
mod ical;
mod link;
pub mod proposal;
mod slots;
mod window;

pub use backend::{
    Backend, Commit, FreeBusy, NewEvent, Organizer, PersonBusy, RequiredAttendees, StoredEvent,
};
pub use caldav::{Auth, CalDav, CalDavSettings};
pub use drafts::Drafts;
pub use engine::CalendarEngine;
pub use folder::Folder;
pub use link::{LinkError, LinkSource, Zoom, ZoomSettings};
pub use proposal::propose;
pub use window::TimeWindow;
