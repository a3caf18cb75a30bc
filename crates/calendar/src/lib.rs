//! Calendars behind the `calendar` capability: iCalendar files in a folder (`folder`) or a
//! server (`caldav`). Drafts are durable (`drafts`), an event is made once (`engine`), and it
//! may carry a meeting link (`link`). How times are proposed is the capability's.

mod backend;
mod caldav;
mod drafts;
mod engine;
mod folder;
mod ical;
mod link;
mod turns;
mod window;

pub use backend::{Backend, Commit, Found, MustBeFree, NewEvent, Organizer, PersonBusy, WhoIsBusy};
pub use caldav::{Auth, CalDav, CalDavSettings};
pub use drafts::Drafts;
pub use engine::CalendarEngine;
pub use folder::Folder;
pub use link::{Link, LinkError, Zoom, ZoomSettings};
pub use window::Window;
