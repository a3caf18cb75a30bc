//! The table of counted calls.

use rusqlite::{Connection, OptionalExtension, params};

use super::rows::{integer, unsigned};
use crate::rate::{CountResult, Counter, RateRoom};

/// Counts a call within the limit, under the write lock: if several callers compete for the last
/// unit, one gets it.
pub(super) fn count(
    connection: &Connection,
    counter: &Counter,
    now: u64,
) -> rusqlite::Result<CountResult> {
    if let Some(wait_ms) = wait(connection, counter, 0, now)? {
        return Ok(CountResult::Full { wait_ms });
    }
    let sql = "INSERT INTO rates (counter, time, until) VALUES (?1, ?2, ?3)";
    let until = integer(now.saturating_add(counter.window_ms));
    connection.prepare_cached(sql)?.execute(params![counter.name, integer(now), until])?;
    Ok(CountResult::Within)
}

/// The newest row that was ever committed; rows are numbered in the order of their commits.
pub(super) fn newest(connection: &Connection) -> rusqlite::Result<i64> {
    let sql = "SELECT ifnull((SELECT seq FROM sqlite_sequence WHERE name = 'rates'), 0)";
    connection.prepare_cached(sql)?.query_row([], |row| row.get(0))
}

/// How long a call has to wait that comes after `more` others, by the counter's current window.
pub(super) fn wait(
    connection: &Connection,
    counter: &Counter,
    more: u64,
    now: u64,
) -> rusqlite::Result<Option<u64>> {
    let place = match counter.room(more) {
        RateRoom::Never => return Ok(Some(counter.window_ms)),
        RateRoom::After(place) => integer(place),
    };
    let sql = "
        SELECT time FROM rates WHERE counter = ?1 AND time > ?2 - ?3
        ORDER BY id DESC LIMIT 1 OFFSET ?4";
    let mut statement = connection.prepare_cached(sql)?;
    let within = params![counter.name, integer(now), integer(counter.window_ms), place];
    let time = statement.query_row(within, |row| unsigned(row, 0)).optional()?;
    Ok(time.map(|time| counter.wait_for(time, now)))
}

/// Removes at most `limit` calls whose window had ended by then; returns how many.
pub(super) fn expire(connection: &Connection, now: u64, limit: usize) -> rusqlite::Result<usize> {
    let sql = "
        DELETE FROM rates WHERE id IN (SELECT id FROM rates WHERE until <= ?1 LIMIT ?2)";
    connection.prepare_cached(sql)?.execute(params![integer(now), limit as i64])
}
