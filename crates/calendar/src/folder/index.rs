//! What the files of a folder say about who is busy, kept in SQLite beside them. A file is read
//! again when its time or its length changed; the index is a cache and may be deleted.

mod database;

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use aileron_runtime::capability::Fault;
use aileron_runtime::capability::calendar::Zone;
use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, Transaction, TransactionBehavior, params};

use self::database::fault;
use super::scan::{self, OnDisk, Stamp};
use crate::backend::PersonBusy;
use crate::ical::{self, BusyTime, Reading};
use crate::window::{Window, merged};

/// How far back and ahead of what is asked occurrences are written down, in days.
const BEFORE_DAYS: i64 = 40;
const AFTER_DAYS: i64 = 400;

/// A file that was changed so shortly before it was read may change again without its time
/// showing it.
const RACE_NS: i64 = 2_000_000_000;

/// A larger file is no calendar of one person.
const MOST_BYTES: i64 = 256 << 20;

/// The index of a folder.
#[derive(Debug)]
pub(super) struct Index(Connection);

/// The index while no other process may change it.
#[derive(Debug)]
pub(super) struct Held<'a>(Transaction<'a>);

impl Index {
    pub(super) fn open(root: &Path) -> Result<Self, Fault> {
        database::open(root).map(Self)
    }

    /// Brings the index up to the files, for a search in this window.
    pub(super) fn refresh(
        &mut self,
        root: &Path,
        zone: &Zone,
        window: &Window,
    ) -> Result<(), Fault> {
        if is_fresh(&self.0, root, zone, window)? {
            return Ok(());
        }
        let held = self.hold()?;
        refresh(&held.0, root, zone, window)?;
        held.release()
    }

    pub(super) fn hold(&mut self) -> Result<Held<'_>, Fault> {
        let change = self.0.transaction_with_behavior(TransactionBehavior::Immediate);
        change.map(Held).map_err(|error| fault(&error))
    }

    pub(super) fn busy(&self, who: &str, window: &Window) -> Result<PersonBusy, Fault> {
        busy(&self.0, who, window)
    }

    /// The file that has the event of this id.
    pub(super) fn file_of(&self, uid: &str) -> Result<Option<String>, Fault> {
        let sql = "SELECT path FROM busy JOIN file ON file.id = busy.file WHERE uid = ?1 LIMIT 1";
        let found = self.0.query_row(sql, [uid], |row| row.get(0)).optional();
        found.map_err(|error| fault(&error))
    }
}

impl Held<'_> {
    pub(super) fn refresh(
        &mut self,
        root: &Path,
        zone: &Zone,
        window: &Window,
    ) -> Result<(), Fault> {
        refresh(&self.0, root, zone, window)
    }

    pub(super) fn busy(&self, who: &str, window: &Window) -> Result<PersonBusy, Fault> {
        busy(&self.0, who, window)
    }

    pub(super) fn release(self) -> Result<(), Fault> {
        self.0.commit().map_err(|error| fault(&error))
    }
}

/// Whether the index says what the files say.
fn is_fresh(db: &Connection, root: &Path, zone: &Zone, window: &Window) -> Result<bool, Fault> {
    if !database::range(db, zone)?.is_some_and(|range| range.covers(window)) {
        return Ok(false);
    }
    let known = known(db)?;
    let files = scan::files(root)?;
    Ok(files.len() == known.len()
        && files.iter().all(|file| known.get(&file.path).is_some_and(|it| it.is_still(file))))
}

fn refresh(db: &Connection, root: &Path, zone: &Zone, window: &Window) -> Result<(), Fault> {
    let range = match database::range(db, zone)?.filter(|range| range.covers(window)) {
        Some(range) => range,
        None => {
            let range = window.widened(BEFORE_DAYS, AFTER_DAYS);
            database::restart(db, zone, &range)?;
            range
        }
    };
    let mut known = known(db)?;
    for file in scan::files(root)? {
        match known.remove(&file.path) {
            Some(before) if before.is_still(&file) => {}
            before => {
                forget(db, before.map(|it| it.id))?;
                enter(db, root, zone, &range, &file)?;
            }
        }
    }
    known.into_values().try_for_each(|gone| forget(db, Some(gone.id)))
}

/// A file as the index knows it.
struct Known {
    id: i64,
    stamp: Stamp,
    settled: bool,
}

impl Known {
    fn is_still(&self, file: &OnDisk) -> bool {
        self.settled && self.stamp == file.stamp
    }
}

fn known(db: &Connection) -> Result<HashMap<String, Known>, Fault> {
    let read = || {
        let mut statement =
            db.prepare_cached("SELECT path, id, modified_ns, len, settled FROM file")?;
        let rows = statement.query_map([], |row| {
            let stamp = Stamp { modified_ns: row.get(2)?, len: row.get(3)? };
            Ok((row.get(0)?, Known { id: row.get(1)?, stamp, settled: row.get(4)? }))
        })?;
        rows.collect::<rusqlite::Result<HashMap<_, _>>>()
    };
    read().map_err(|error| fault(&error))
}

fn forget(db: &Connection, file: Option<i64>) -> Result<(), Fault> {
    let Some(file) = file else { return Ok(()) };
    let forget = || {
        db.prepare_cached("DELETE FROM busy WHERE file = ?1")?.execute([file])?;
        db.prepare_cached("DELETE FROM file WHERE id = ?1")?.execute([file])
    };
    forget().map(|_| ()).map_err(|error| fault(&error))
}

/// Reads one file. What cannot be understood is noted, so that its owner's calendar is not taken
/// for a free one.
fn enter(
    db: &Connection,
    root: &Path,
    zone: &Zone,
    range: &Window,
    file: &OnDisk,
) -> Result<(), Fault> {
    let now_ns = i64::try_from(Timestamp::now().as_nanosecond()).unwrap_or(i64::MAX);
    let reading = Reading { owner: file.owner.as_deref(), zone, window: *range };
    let read = read(root, file, &reading);
    let damage = read.as_ref().err().cloned();
    let settled = now_ns - file.stamp.modified_ns > RACE_NS;
    let enter = || {
        db.prepare_cached(
            "INSERT INTO file (path, owner, modified_ns, len, settled, damage) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        )?
        .execute(params![file.path, file.owner, file.stamp.modified_ns, file.stamp.len, settled, damage])?;
        let id = db.last_insert_rowid();
        let mut insert = db.prepare_cached(
            "INSERT INTO busy (file, who, start, end, uid) VALUES (?1, ?2, ?3, ?4, ?5)",
        )?;
        for BusyTime { who, window, uid } in read.unwrap_or_default() {
            let (start, end) = (window.start.as_second(), window.end.as_second());
            insert.execute(params![id, who, start, end, uid])?;
        }
        Ok(())
    };
    enter().map_err(|error: rusqlite::Error| fault(&error))
}

fn read(root: &Path, file: &OnDisk, reading: &Reading<'_>) -> Result<Vec<BusyTime>, String> {
    if file.stamp.len > MOST_BYTES {
        return Err(format!("expected at most {MOST_BYTES} bytes"));
    }
    let bytes = fs::read(root.join(&file.path)).map_err(|error| error.to_string())?;
    let text = String::from_utf8_lossy(&bytes);
    ical::busy_times(&text, reading).map_err(|error| error.to_string())
}

fn busy(db: &Connection, who: &str, window: &Window) -> Result<PersonBusy, Fault> {
    let read = || {
        let readable = "SELECT COUNT(*), COUNT(damage) FROM file WHERE owner = ?1";
        let (files, damaged): (i64, i64) =
            db.prepare_cached(readable)?.query_row([who], |row| Ok((row.get(0)?, row.get(1)?)))?;
        let mut statement = db.prepare_cached(
            "SELECT start, end FROM busy WHERE who = ?1 AND end > ?2 AND start < ?3",
        )?;
        let span = params![who, window.start.as_second(), window.end.as_second()];
        let rows = statement.query_map(span, |row| Ok((row.get(0)?, row.get(1)?)))?;
        let spans = rows.collect::<rusqlite::Result<Vec<(i64, i64)>>>()?;
        Ok((files > 0 && damaged == 0, spans))
    };
    let (readable, spans) = read().map_err(|error: rusqlite::Error| fault(&error))?;
    let window = |(start, end): (i64, i64)| {
        Some(Window {
            start: Timestamp::from_second(start).ok()?,
            end: Timestamp::from_second(end).ok()?,
        })
    };
    Ok(PersonBusy { readable, busy: merged(spans.into_iter().filter_map(window).collect()) })
}
