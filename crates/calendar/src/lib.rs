//! Calendars behind the `calendar` capability: iCalendar files in a folder (`folder`) or a
//! server (`caldav`). Drafts are durable (`drafts`), an event is made once (`engine`), and it
//! may carry a meeting link (`link`). `proposal` finds times over any
//! calendar and drafts an event for each.

mod backend;
mod caldav;
mod drafts;
mod engine;
mod folder;
mod ical;
mod link;
pub mod proposal;
mod slots;
mod turns;
mod window;

pub use backend::{Backend, Commit, Found, MustBeFree, NewEvent, Organizer, PersonBusy, WhoIsBusy};
pub use caldav::{Auth, CalDav, CalDavSettings};
pub use drafts::Drafts;
pub use engine::CalendarEngine;
pub use folder::Folder;
pub use link::{Link, LinkError, Zoom, ZoomSettings};
pub use proposal::propose;
pub use window::Window;
