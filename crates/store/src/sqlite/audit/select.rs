//! The query behind every page of records.

use std::ops::Range;

use aileron_contract::AuditRecord;
use rusqlite::types::Value as SqlValue;
use rusqlite::{Connection, params_from_iter};

use super::super::fault::column;
use super::super::rows::integer;
use crate::audit::{ANY_ERROR, AuditFilter};

/// The end of the log from which records are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ReadDirection {
    OldestFirst,
    NewestFirst,
}

/// Reads the matching records of a range of sequence numbers; ignores the filter's `from` and
/// limit.
pub(super) fn select(
    connection: &Connection,
    filter: &AuditFilter,
    range: Range<u64>,
    order: ReadDirection,
    limit: usize,
) -> rusqlite::Result<Vec<AuditRecord>> {
    let (mut sql, mut values) = conditions(filter, range);
    sql.push_str(match order {
        ReadDirection::OldestFirst => " ORDER BY seq LIMIT ?",
        ReadDirection::NewestFirst => " ORDER BY seq DESC LIMIT ?",
    });
    values.push(number(limit as u64));
    let mut statement = connection.prepare_cached(&sql)?;
    let rows = statement.query_map(params_from_iter(values), |row| {
        column(0, AuditRecord::from_parts(row.get_ref(0)?.as_str()?, row.get_ref(1)?.as_str()?))
    })?;
    rows.collect()
}

fn conditions(filter: &AuditFilter, range: Range<u64>) -> (String, Vec<SqlValue>) {
    let text = |text: &str| SqlValue::Text(text.to_owned());
    let conditions = [
        (" AND time >= ?", filter.since.map(number)),
        (" AND time < ?", filter.until.map(number)),
        (" AND conversation = ?", filter.conversation.as_ref().map(|id| text(id.as_str()))),
        (" AND body ->> 'callId' = ?", filter.call_id.as_ref().map(|id| text(id.as_str()))),
        (" AND body ->> 'turn' = ?", filter.turn.map(number)),
        (" AND tool = ?", filter.tool.as_deref().map(text)),
        (" AND user = ?", filter.user.as_ref().map(|id| text(id.as_str()))),
        (" AND ? IN (outcome, nullif(substr(outcome, 1, instr(outcome, ':') - 1), ''))", {
            filter.outcome.as_deref().map(text)
        }),
    ];
    let error = match filter.error.as_deref() {
        Some(ANY_ERROR) => (" AND body ->> 'error' IS NOT NULL AND ?", Some(SqlValue::Integer(1))),
        error => (" AND body ->> 'error' = ?", error.map(text)),
    };
    let mut sql = "SELECT body, hash FROM audit WHERE seq >= ? AND seq < ?".to_owned();
    let mut values = vec![number(range.start), number(range.end)];
    for (condition, value) in conditions.into_iter().chain([error]) {
        sql.push_str(value.as_ref().map_or("", |_| condition));
        values.extend(value);
    }
    (sql, values)
}

fn number(number: u64) -> SqlValue {
    SqlValue::Integer(integer(number))
}
