//! Calendars as iCalendar files in a folder, which any calendar program reads and writes:
//!
//! - `<address>.ics` or `<address>/*.ics`: the calendar of a person, from any program;
//! - `events/<uid>.ics`: events that were created here.
//!
//! Every attendee of an event in any of these files is busy then, so one file blocks the time of
//! all attendees. `index` stores the days of each file.

mod index;
mod scan;
mod write;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use aileron_capability::calendar::{Invitations, Zone};
use aileron_capability::{Answer, CapabilityFault, FaultCode};
use futures_util::FutureExt;

use self::index::{Index, Search};
use crate::backend::{
    Backend, Commit, FreeBusy, NewEvent, Organizer, PersonBusy, RequiredAttendees, StoredEvent,
};
use crate::ical;
use crate::window::TimeWindow;

/// The folder of events that are created here.
const EVENTS: &str = "events";

/// Calendars in a folder.
#[derive(Debug, Clone)]
pub struct Folder(Arc<FolderInner>);

#[derive(Debug)]
struct FolderInner {
    root: PathBuf,
    zone: Zone,
    organizer: Option<String>,
}

impl Folder {
    /// The calendars of this folder, which is created when needed. `zone` is the zone of times
    /// without one; the organizer is the address that invites.
    pub fn at(root: &Path, zone: Zone, organizer: Option<String>) -> Self {
        let organizer = organizer.map(|address| address.to_lowercase());
        Self(Arc::new(FolderInner { root: root.to_owned(), zone, organizer }))
    }

    /// Indexes the existing files, so that no request has to wait for it.
    pub fn prepare(&self) -> Answer<()> {
        self.run(|inner| match inner.root.is_dir() {
            true => inner.index()?.refresh(&inner.root),
            false => Ok(()),
        })
    }

    /// Runs on a thread that may wait for the disk.
    fn run<T: Send + 'static>(
        &self,
        act: impl FnOnce(&FolderInner) -> Result<T, CapabilityFault> + Send + 'static,
    ) -> Answer<T> {
        let inner = self.0.clone();
        async move {
            let done = tokio::task::spawn_blocking(move || act(&inner)).await;
            done.unwrap_or_else(|_| Err(unavailable("the work broke off")))
        }
        .boxed()
    }
}

impl Backend for Folder {
    fn busy(&self, people: Vec<String>, window: TimeWindow) -> Answer<FreeBusy> {
        self.run(move |inner| {
            let mut index = inner.index()?;
            index.refresh(&inner.root)?;
            let known = index.busy(&inner.with_organizer(&people), inner.search(&window))?;
            Ok(inner.without_organizer(known))
        })
    }

    fn invitations(&self) -> Invitations {
        Invitations::NotSent
    }

    fn find(&self, uid: String) -> Answer<Option<StoredEvent>> {
        self.run(move |inner| inner.find(&uid))
    }

    fn commit(&self, event: NewEvent, must_be_free: RequiredAttendees) -> Answer<Commit> {
        self.run(move |inner| inner.commit(&event, &must_be_free))
    }
}

impl FolderInner {
    fn index(&self) -> Result<Index, CapabilityFault> {
        std::fs::create_dir_all(&self.root).map_err(|error| disk(&self.root, &error))?;
        Index::open(&self.root)
    }

    fn search<'a>(&'a self, window: &'a TimeWindow) -> Search<'a> {
        Search { root: &self.root, zone: &self.zone, window }
    }

    /// These people, with the organizer appended.
    fn with_organizer(&self, people: &[String]) -> Vec<String> {
        people.iter().chain(&self.organizer).cloned().collect()
    }

    /// The busy times of people, with the organizer, who was the last entry, apart.
    fn without_organizer(&self, mut people: Vec<PersonBusy>) -> FreeBusy {
        let organizer = self.organizer.clone().and_then(|address| {
            let time = people.pop()?;
            Some(Organizer { address, time })
        });
        FreeBusy { people, organizer }
    }

    fn path(&self, uid: &str) -> PathBuf {
        self.root.join(EVENTS).join(format!("{uid}.ics"))
    }

    /// Finds an event in its file, or in any other file if it was moved.
    fn find(&self, uid: &str) -> Result<Option<StoredEvent>, CapabilityFault> {
        if let Some(found) = read_event(&self.path(uid), uid)? {
            return Ok(Some(found));
        }
        let mut index = self.index()?;
        index.refresh(&self.root)?;
        let files = index.files_with(uid)?.into_iter();
        // An unreadable file is assumed not to contain the event.
        let mut read = files.filter_map(|path| read_event(&self.root.join(path), uid).ok());
        Ok(read.find_map(|found| found))
    }

    /// Holds the lock of the index, which excludes other processes.
    fn commit(
        &self,
        event: &NewEvent,
        must_be_free: &RequiredAttendees,
    ) -> Result<Commit, CapabilityFault> {
        let mut index = self.index()?;
        let held = index.hold()?;
        if let Some(found) = read_event(&self.path(&event.uid), &event.uid)? {
            return Ok(Commit::Existed(found));
        }
        held.refresh(&self.root)?;
        let people = self.with_organizer(&must_be_free.people);
        let known = held.busy(&people, self.search(&event.window))?;
        let taken = self.without_organizer(known).taken(event, must_be_free);
        if taken > 0 {
            held.release()?;
            return Ok(Commit::Taken(taken));
        }
        let text = ical::written(event, self.organizer.as_deref());
        write::atomic(&self.path(&event.uid), text.as_bytes())?;
        held.release()?;
        Ok(Commit::Made(StoredEvent { join_url: event.join_url.clone(), ..StoredEvent::default() }))
    }
}

/// The event in this file, if there is one.
fn read_event(path: &Path, uid: &str) -> Result<Option<StoredEvent>, CapabilityFault> {
    match index::text_of(path) {
        Ok(text) if !text.contains(uid) => Ok(None),
        Ok(text) => {
            let link = ical::join_url(&text, uid);
            Ok(link.map(|join_url| StoredEvent { join_url, ..StoredEvent::default() }))
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(disk(path, &error)),
    }
}

fn disk(path: &Path, error: &std::io::Error) -> CapabilityFault {
    unavailable(&format!("`{}` cannot be used: {error}", path.display()))
}

fn unavailable(message: &str) -> CapabilityFault {
    CapabilityFault::new(FaultCode::Unavailable, message)
}

#[cfg(test)]
#[path = "folder_tests.rs"]
mod tests;
