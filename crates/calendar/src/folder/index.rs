//! An index of the days of each file in a folder, stored in SQLite beside them. A file is read
//! again when its modification time or length changed; the index is a cache and may be deleted.
//! Busy times are always read from the calendar files, and only from the relevant part of them, so
//! that a change is cheap.

mod database;
mod parallel;

use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::Path;

use aileron_capability::CapabilityFault;
use aileron_capability::calendar::Zone;
use jiff::Timestamp;
use rusqlite::{Connection, Transaction, TransactionBehavior};

use self::database::{CandidateFile, IndexEntry, IndexedFile, fault};
use self::parallel::in_parallel;
use super::scan::{self, OnDisk};
use crate::backend::PersonBusy;
use crate::ical::{self, BusyOptions, BusyText, BusyTime, Days, ICalError, Outline};
use crate::window::{TimeWindow, merged};

/// A file that changed less than this before it was read may change again with the same
/// modification time.
const RACE_NS: i64 = 2_000_000_000;

/// Maximum bytes of a calendar file.
const MOST_BYTES: i64 = 256 << 20;

/// Maximum bytes of a file whose text is stored in the index.
const SMALL_BYTES: i64 = 16 << 10;

/// The index of a folder.
#[derive(Debug)]
pub(super) struct Index(Connection);

/// The index, locked against other processes.
#[derive(Debug)]
pub(super) struct LockedIndex<'a>(Transaction<'a>);

/// The people and the window of a query.
#[derive(Debug, Clone, Copy)]
pub(super) struct Search<'a> {
    pub(super) root: &'a Path,
    pub(super) zone: &'a Zone,
    pub(super) window: &'a TimeWindow,
}

impl Index {
    pub(super) fn open(root: &Path) -> Result<Self, CapabilityFault> {
        database::open(root).map(Self)
    }

    /// Updates the index from the files. The lock is held only for changes.
    pub(super) fn refresh(&mut self, root: &Path) -> Result<(), CapabilityFault> {
        let version = database::version(&self.0)?;
        let changes = Changes::of(&self.0, root)?;
        if changes.is_empty() {
            return Ok(());
        }
        let held = self.hold()?;
        match database::version(&held.0)? == version {
            true => changes.enter(&held.0, root)?,
            // Another process has already updated the index.
            false => held.refresh(root)?,
        }
        held.release()
    }

    pub(super) fn hold(&mut self) -> Result<LockedIndex<'_>, CapabilityFault> {
        let change = self.0.transaction_with_behavior(TransactionBehavior::Immediate);
        change.map(LockedIndex).map_err(|error| fault(&error))
    }

    pub(super) fn busy(
        &self,
        people: &[String],
        search: Search<'_>,
    ) -> Result<Vec<PersonBusy>, CapabilityFault> {
        busy(&self.0, people, search)
    }

    /// The files that may have the event of this id.
    pub(super) fn files_with(&self, uid: &str) -> Result<Vec<String>, CapabilityFault> {
        database::mentioning(&self.0, uid)
    }
}

impl LockedIndex<'_> {
    pub(super) fn refresh(&self, root: &Path) -> Result<(), CapabilityFault> {
        Changes::of(&self.0, root)?.enter(&self.0, root)
    }

    pub(super) fn busy(
        &self,
        people: &[String],
        search: Search<'_>,
    ) -> Result<Vec<PersonBusy>, CapabilityFault> {
        busy(&self.0, people, search)
    }

    pub(super) fn release(self) -> Result<(), CapabilityFault> {
        self.0.commit().map_err(|error| fault(&error))
    }
}

/// The changes that are not in the index.
#[derive(Debug, Default)]
struct Changes {
    fresh: Vec<OnDisk>,
    gone: Vec<i64>,
}

impl Changes {
    fn of(db: &Connection, root: &Path) -> Result<Self, CapabilityFault> {
        let mut known: HashMap<String, IndexedFile> = database::known(db)?.into_iter().collect();
        let mut changes = Self::default();
        for file in scan::files(root)? {
            match known.remove(&file.path) {
                Some(before) if before.settled && before.stamp == file.stamp => {}
                before => {
                    changes.gone.extend(before.map(|it| it.id));
                    changes.fresh.push(file);
                }
            }
        }
        changes.gone.extend(known.into_values().map(|it| it.id));
        Ok(changes)
    }

    fn is_empty(&self) -> bool {
        self.fresh.is_empty() && self.gone.is_empty()
    }

    fn enter(self, db: &Connection, root: &Path) -> Result<(), CapabilityFault> {
        self.gone.into_iter().try_for_each(|id| database::forget(db, id))?;
        let entries = in_parallel(&self.fresh, |file| entry(root, file));
        let mut entered = self.fresh.iter().zip(&entries);
        entered.try_for_each(|(file, entry)| database::enter(db, file, entry))
    }
}

fn entry(root: &Path, file: &OnDisk) -> IndexEntry {
    let now_ns = i64::try_from(Timestamp::now().as_nanosecond()).unwrap_or(i64::MAX);
    let settled = now_ns - file.stamp.modified_ns > RACE_NS;
    let small = file.stamp.len <= SMALL_BYTES;
    let text = small.then(|| fs::read(root.join(&file.path)).ok()).flatten();
    let text = text.map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    let days = text.as_deref().map_or(Days::ALL, |text| Outline::of(text).days());
    IndexEntry { settled, days, text }
}

/// The busy times of one person.
#[derive(Debug, Clone, Default)]
struct IndexedBusy {
    readable: bool,
    remark: Option<String>,
    busy: Vec<TimeWindow>,
}

/// Faults are recorded, so that an unreadable calendar does not look free. A file without an owner
/// may concern any person.
fn busy(
    db: &Connection,
    people: &[String],
    search: Search<'_>,
) -> Result<Vec<PersonBusy>, CapabilityFault> {
    let mut found: HashMap<&str, IndexedBusy> = HashMap::new();
    for who in people {
        let readable = database::has_calendar(db, who)?;
        found.insert(who.as_str(), IndexedBusy { readable, ..IndexedBusy::default() });
    }
    let files = database::candidates(db, &Days::around(search.window))?;
    let all = in_parallel(&files, |file| read(file, search));
    for (file, told) in files.iter().zip(all) {
        for BusyTime { who, window, .. } in told.times {
            if let Some(person) = found.get_mut(who.as_str()) {
                person.busy.push(window);
            }
        }
        let Some(why) = told.unreadable else { continue };
        let remark = format!("{}: {why}", file.path);
        match file.owner.as_deref() {
            Some(owner) => found.get_mut(owner).into_iter().for_each(|it| it.spoil(&remark)),
            None => found.values_mut().for_each(|it| it.note(&remark)),
        }
    }
    let person = |who: &String| {
        let IndexedBusy { readable, remark, busy } =
            found.get(who.as_str()).cloned().unwrap_or_default();
        PersonBusy { readable, remark, busy: merged(busy) }
    };
    Ok(people.iter().map(person).collect())
}

impl IndexedBusy {
    fn note(&mut self, remark: &str) {
        self.remark.get_or_insert_with(|| remark.to_owned());
    }

    fn spoil(&mut self, remark: &str) {
        self.readable = false;
        self.note(remark);
    }
}

fn read(file: &CandidateFile, search: Search<'_>) -> BusyText {
    let reading =
        BusyOptions { owner: file.owner.as_deref(), zone: search.zone, window: *search.window };
    match &file.text {
        Some(text) => ical::busy_times(text, &reading),
        None => match text_of(&search.root.join(&file.path)) {
            Ok(text) => ical::busy_times(&text, &reading),
            Err(why) => {
                BusyText { unreadable: Some(ICalError(why.to_string())), ..BusyText::default() }
            }
        },
    }
}

/// The text of a file; invalid UTF-8 is replaced.
pub(super) fn text_of(path: &Path) -> io::Result<String> {
    let length = fs::metadata(path)?.len();
    if i64::try_from(length).unwrap_or(i64::MAX) > MOST_BYTES {
        let most = format!("expected at most {MOST_BYTES} bytes");
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, most));
    }
    let bytes = fs::read(path)?;
    Ok(String::from_utf8(bytes).unwrap_or_else(|it| String::from_utf8_lossy(it.as_bytes()).into()))
}
