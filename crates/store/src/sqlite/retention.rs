//! The row with the progress of retention.

use rusqlite::{Connection, OptionalExtension, Row, params};

use super::rows::{integer, unsigned};
use crate::retention::{Retention, RetentionCheck};

/// The longest time that counts between two checks by different processes, in milliseconds: both
/// may have run, and counted, during the same time.
const LONGEST_SHARED_MS: u64 = 60_000;

/// Advances retention by one reading of the clocks; returns the time by which entries are old.
pub(super) fn advance(
    connection: &Connection,
    me: &str,
    mut look: RetentionCheck,
) -> rusqlite::Result<u64> {
    let sql = "SELECT reached, seen, lived, ahead, ahead_at, instance FROM retention";
    let found = connection.prepare_cached(sql)?.query_row([], read).optional()?;
    let mut retention = match found {
        Some((retention, by)) => {
            if by != me {
                look.lived_ms = look.lived_ms.min(LONGEST_SHARED_MS);
            }
            retention
        }
        None => Retention::begin(newest(connection)?, look.now),
    };
    let reached = retention.advance(look);
    let sql = "INSERT OR REPLACE INTO retention VALUES (1, ?1, ?2, ?3, ?4, ?5, ?6)";
    let Retention { seen, lived, ahead, ahead_at, .. } = retention;
    let row = [reached, seen, lived, ahead, ahead_at].map(integer);
    let row = params![row[0], row[1], row[2], row[3], row[4], me];
    connection.prepare_cached(sql)?.execute(row)?;
    Ok(reached)
}

fn read(row: &Row<'_>) -> rusqlite::Result<(Retention, String)> {
    let retention = Retention {
        reached: unsigned(row, 0)?,
        seen: unsigned(row, 1)?,
        lived: unsigned(row, 2)?,
        ahead: unsigned(row, 3)?,
        ahead_at: unsigned(row, 4)?,
    };
    Ok((retention, row.get(5)?))
}

/// When the newest call began.
fn newest(connection: &Connection) -> rusqlite::Result<Option<u64>> {
    let sql = "SELECT max(time) FROM ledger";
    let newest: Option<i64> = connection.query_row(sql, [], |row| row.get(0))?;
    Ok(newest.and_then(|newest| u64::try_from(newest).ok()))
}
