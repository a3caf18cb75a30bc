//! The table of tasks, which are calls that continue after their first answer. The operations of the
//! writer, also called tasks, are in `task`.

use std::sync::Arc;

use aileron_contract::{CallId, ConversationId, UserId};
use rusqlite::types::Value as SqlValue;
use rusqlite::{Connection, OptionalExtension, Row, params, params_from_iter};
use serde_json::Value;

use super::SqliteStore;
use super::fault::column;
use super::rows::{integer, unsigned};
use crate::document::OwnerFilter;
use crate::error::StoreError;
use crate::pending_write::PendingWrite;
use crate::tasks::{
    StoredTask, TaskChange, TaskCounts, TaskCursor, TaskEnd, TaskFilter, TaskState, TaskStore,
};

const COLUMNS: &str = "id, conversation, user, call_id, key, tool, began, runs, body, progress, \
                       cancelled, ended, answer, told";

impl TaskStore for SqliteStore {
    fn put_task(&self, task: StoredTask) -> PendingWrite<()> {
        self.shared.write(move |batch| put(batch.connection, &task))
    }

    fn change_task(&self, id: &str, change: TaskChange) -> PendingWrite<bool> {
        let id = id.to_owned();
        self.shared.write(move |batch| self::change(batch.connection, &id, &change))
    }

    fn mark_told(&self, ids: &[String]) -> PendingWrite<()> {
        let ids = ids.to_vec();
        self.shared.write(move |batch| mark_told(batch.connection, &ids))
    }

    fn task(&self, id: &str) -> PendingWrite<Option<StoredTask>> {
        PendingWrite::ready(self.shared.read(|connection| find(connection, id)))
    }

    fn tasks(
        &self,
        filter: &TaskFilter,
        after: Option<&TaskCursor>,
        limit: usize,
    ) -> PendingWrite<Vec<StoredTask>> {
        let read = |connection: &_| list(connection, filter, after, limit);
        PendingWrite::ready(self.shared.read(read))
    }

    fn count_tasks(
        &self,
        conversation: &ConversationId,
        user: Option<&UserId>,
    ) -> Result<TaskCounts, StoreError> {
        self.shared.read(|connection| count(connection, conversation, user))
    }
}

/// Adds a task, or replaces it when it is started again.
pub(super) fn put(connection: &Connection, task: &StoredTask) -> rusqlite::Result<()> {
    let sql = format!(
        "INSERT OR REPLACE INTO tasks ({COLUMNS}) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)"
    );
    let mut statement = connection.prepare_cached(&sql)?;
    let end = task.end.as_ref();
    let answer = end.map(|end| serde_json::to_string(&*end.answer)).transpose();
    let answer =
        answer.map_err(|error| rusqlite::Error::ToSqlConversionFailure(Box::new(error)))?;
    let row = params![
        task.id,
        task.conversation.as_str(),
        task.user.as_ref().map(UserId::as_str),
        task.call_id.as_str(),
        task.key,
        task.tool,
        integer(task.began),
        task.runs,
        task.body.to_string(),
        task.progress.as_ref().map(ToString::to_string),
        task.cancel_requested,
        end.map(|end| integer(end.at)),
        answer,
        end.is_some_and(|end| end.told),
    ];
    statement.execute(row).map(drop)
}

/// Changes a task that has not ended; returns whether there was one.
pub(super) fn change(
    connection: &Connection,
    id: &str,
    change: &TaskChange,
) -> rusqlite::Result<bool> {
    let changed = match change {
        TaskChange::Progress(progress) => {
            let sql = "UPDATE tasks SET progress = ?2 WHERE id = ?1 AND ended IS NULL";
            connection.prepare_cached(sql)?.execute(params![id, progress.to_string()])
        }
        TaskChange::RequestCancel => {
            let sql = "UPDATE tasks SET cancelled = 1 WHERE id = ?1 AND ended IS NULL";
            connection.prepare_cached(sql)?.execute(params![id])
        }
        TaskChange::End { at, answer } => {
            let answer = serde_json::to_string(&**answer)
                .map_err(|error| rusqlite::Error::ToSqlConversionFailure(Box::new(error)))?;
            let sql = "UPDATE tasks SET ended = ?2, answer = ?3, told = 0 \
                       WHERE id = ?1 AND ended IS NULL";
            connection.prepare_cached(sql)?.execute(params![id, integer(*at), answer])
        }
    };
    changed.map(|rows| rows > 0)
}

/// Marks the results of tasks as told.
pub(super) fn mark_told(connection: &Connection, ids: &[String]) -> rusqlite::Result<()> {
    let sql = "UPDATE tasks SET told = 1 WHERE id = ?1 AND ended IS NOT NULL";
    let mut statement = connection.prepare_cached(sql)?;
    ids.iter().try_for_each(|id| statement.execute([id]).map(drop))
}

pub(super) fn find(connection: &Connection, id: &str) -> rusqlite::Result<Option<StoredTask>> {
    let sql = format!("SELECT {COLUMNS} FROM tasks WHERE id = ?1");
    connection.prepare_cached(&sql)?.query_row([id], read).optional()
}

/// The tasks that match, the newest first, after a position.
pub(super) fn list(
    connection: &Connection,
    filter: &TaskFilter,
    after: Option<&TaskCursor>,
    limit: usize,
) -> rusqlite::Result<Vec<StoredTask>> {
    let mut sql = format!("SELECT {COLUMNS} FROM tasks WHERE (began, id) < (?, ?)");
    let text = |text: &str| SqlValue::Text(text.to_owned());
    let mut values = vec![
        SqlValue::Integer(after.map_or(i64::MAX, |after| integer(after.began))),
        text(after.map_or("", |after| &after.id)),
    ];
    if let OwnerFilter::Of(owner) = &filter.owner {
        sql.push_str(" AND user IS ?");
        values.push(owner.as_ref().map_or(SqlValue::Null, |owner| text(owner.as_str())));
    }
    if let Some(conversation) = &filter.conversation {
        sql.push_str(" AND conversation = ?");
        values.push(text(conversation.as_str()));
    }
    sql.push_str(match filter.state {
        TaskState::Any => "",
        TaskState::Running => " AND ended IS NULL",
        TaskState::Ended => " AND ended IS NOT NULL",
        TaskState::Untold => " AND ended IS NOT NULL AND told = 0",
    });
    sql.push_str(" ORDER BY began DESC, id DESC LIMIT ?");
    values.push(SqlValue::Integer(integer(limit as u64)));
    let mut statement = connection.prepare_cached(&sql)?;
    statement.query_map(params_from_iter(values), read)?.collect()
}

/// How many tasks of a conversation, and of a person, have not ended.
pub(super) fn count(
    connection: &Connection,
    conversation: &ConversationId,
    user: Option<&UserId>,
) -> rusqlite::Result<TaskCounts> {
    let sql = "SELECT count(*) FILTER (WHERE conversation = ?1), count(*) FILTER (WHERE user = ?2) \
               FROM tasks WHERE ended IS NULL AND (conversation = ?1 OR user = ?2)";
    let mut statement = connection.prepare_cached(sql)?;
    let row = params![conversation.as_str(), user.map(UserId::as_str)];
    statement.query_row(row, |row| Ok(TaskCounts { conversation: row.get(0)?, user: row.get(1)? }))
}

/// Removes at most `limit` tasks that ended at `cutoff` or earlier.
pub(super) fn expire(
    connection: &Connection,
    cutoff: u64,
    limit: usize,
) -> rusqlite::Result<usize> {
    let sql = "DELETE FROM tasks WHERE id IN (SELECT id FROM tasks WHERE ended <= ?1 LIMIT ?2)";
    connection.prepare_cached(sql)?.execute(params![integer(cutoff), limit as i64])
}

/// Removes the tasks of a conversation that is deleted.
pub(super) fn delete(
    connection: &Connection,
    conversation: &ConversationId,
) -> rusqlite::Result<()> {
    let sql = "DELETE FROM tasks WHERE conversation = ?1";
    connection.prepare_cached(sql)?.execute([conversation.as_str()]).map(drop)
}

fn read(row: &Row<'_>) -> rusqlite::Result<StoredTask> {
    let user = row.get::<_, Option<String>>(2)?.map(UserId::new).transpose();
    let progress = row.get::<_, Option<String>>(9)?;
    let progress: Option<Value> =
        column(9, progress.map(|text| serde_json::from_str(&text)).transpose())?;
    Ok(StoredTask {
        id: row.get(0)?,
        conversation: column(1, ConversationId::new(row.get::<_, String>(1)?))?,
        user: column(2, user)?,
        call_id: column(3, CallId::new(row.get::<_, String>(3)?))?,
        key: row.get(4)?,
        tool: row.get(5)?,
        began: unsigned(row, 6)?,
        runs: row.get(7)?,
        body: Arc::new(column(8, serde_json::from_str(row.get_ref(8)?.as_str()?))?),
        progress: progress.map(Arc::new),
        cancel_requested: row.get(10)?,
        end: end(row)?,
    })
}

fn end(row: &Row<'_>) -> rusqlite::Result<Option<TaskEnd>> {
    let Some(answer) = row.get::<_, Option<String>>(12)? else { return Ok(None) };
    let answer = Arc::new(column(12, serde_json::from_str(&answer))?);
    Ok(Some(TaskEnd { at: unsigned(row, 11)?, answer, told: row.get(13)? }))
}
