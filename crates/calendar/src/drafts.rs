//! Drafts of events, bound to their conversation, in SQLite, so that they survive the process. A
//! draft also stores the id of its event, before the event is requested.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use aileron_capability::calendar::{CreatedEvent, EventDraft};
use aileron_capability::{Answer, CapabilityFault, FaultCode};
use aileron_sqlite::Schema;
use futures_util::FutureExt;
use rusqlite::{Connection, OptionalExtension, TransactionBehavior, params};
use serde::{Deserialize, Serialize};
use serde_json::Value;

const SCHEMA: Schema<'_> = Schema { application_id: None, steps: &[VERSION_1] };

const VERSION_1: &str = "
    CREATE TABLE IF NOT EXISTS draft (
        conversation TEXT NOT NULL,
        id TEXT NOT NULL,
        content TEXT NOT NULL,
        expires_ms INTEGER NOT NULL,
        uid TEXT,
        link TEXT,
        event TEXT,
        PRIMARY KEY (conversation, id)
    ) WITHOUT ROWID;
    CREATE INDEX IF NOT EXISTS draft_expires ON draft (expires_ms);";

/// How long a draft with a started event is kept after it expired: 30 days.
const REMEMBERED_MS: i64 = 30 * 24 * 3_600_000;

const ANOTHER: &str = "there is another draft of this id";

/// How long to wait for a lock of another process.
const BUSY: Duration = Duration::from_secs(5);

/// Drafts in a file. It is created with the first draft.
#[derive(Clone)]
pub struct Drafts(Arc<DraftsInner>);

struct DraftsInner {
    path: PathBuf,
    connection: Mutex<Option<Connection>>,
}

impl fmt::Debug for Drafts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Drafts").field("path", &self.0.path).finish()
    }
}

/// A draft to store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NewDraft {
    pub(crate) id: String,
    pub(crate) content: String,
    pub(crate) expires_ms: i64,
}

/// A stored draft.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct StoredDraft {
    pub(crate) content: String,
    pub(crate) expires_ms: i64,
    /// The id of the event, once its creation has started.
    pub(crate) uid: Option<String>,
    /// The meeting link that was created for it.
    pub(crate) link: Option<String>,
    /// The event as it was created.
    pub(crate) event: Option<EventAsMade>,
}

/// An event as it was created.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct EventAsMade {
    #[serde(flatten)]
    pub(crate) event: CreatedEvent,
    /// The version of the event.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) version: Option<String>,
}

/// A draft with the id of its event.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ClaimedDraft {
    pub(crate) known: StoredDraft,
    pub(crate) uid: String,
    pub(crate) attempt: EventAttempt,
}

/// Whether an event of this id may already exist.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum EventAttempt {
    /// The first attempt to create it.
    First,
    Later,
}

impl Drafts {
    /// The drafts of this file.
    pub fn at(path: &Path) -> Self {
        Self(Arc::new(DraftsInner { path: path.to_owned(), connection: Mutex::new(None) }))
    }

    /// Stores drafts and deletes expired ones. A draft that is stored again keeps its event and its
    /// content, because a person may be reading it.
    pub(crate) fn keep(
        &self,
        conversation: String,
        drafts: Vec<NewDraft>,
        now_ms: i64,
    ) -> Answer<()> {
        let kept = self.run(move |connection| {
            let change = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            change.execute(
                "DELETE FROM draft WHERE expires_ms < ?1 AND (uid IS NULL OR expires_ms < ?2)",
                params![now_ms, now_ms.saturating_sub(REMEMBERED_MS)],
            )?;
            for draft in &drafts {
                let before = read(&change, &conversation, &draft.id)?;
                if before.is_some_and(|it| essence(&it.content) != essence(&draft.content)) {
                    return Ok(Some(draft.id.clone()));
                }
                change.execute(
                    "INSERT INTO draft (conversation, id, content, expires_ms) VALUES (?1, ?2, ?3, ?4)
                     ON CONFLICT DO UPDATE SET content = ?3, expires_ms = ?4",
                    params![conversation, draft.id, draft.content, draft.expires_ms],
                )?;
            }
            change.commit()?;
            Ok(None)
        });
        async move {
            match kept.await? {
                Some(id) => {
                    Err(CapabilityFault::new(FaultCode::Refused, format!("{ANOTHER}: {id:?}")))
                }
                None => Ok(()),
            }
        }
        .boxed()
    }

    /// A draft of this conversation.
    pub(crate) fn find(&self, conversation: String, id: String) -> Answer<Option<StoredDraft>> {
        self.run(move |connection| read(connection, &conversation, &id))
    }

    /// Binds a draft to the event of this id, unless it is bound already, and returns both.
    pub(crate) fn claim(
        &self,
        conversation: String,
        id: String,
        uid: String,
    ) -> Answer<Option<ClaimedDraft>> {
        self.run(move |connection| {
            let change = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            // The same key may have been used with another draft.
            let used = "SELECT EXISTS (SELECT 1 FROM draft WHERE uid = ?1)";
            let used: bool = change.query_row(used, [&uid], |row| row.get(0))?;
            let bound = change.execute(
                "UPDATE draft SET uid = ?3 WHERE conversation = ?1 AND id = ?2 AND uid IS NULL",
                params![conversation, id, uid],
            )?;
            let known = read(&change, &conversation, &id)?;
            change.commit()?;
            let attempt =
                if bound == 1 && !used { EventAttempt::First } else { EventAttempt::Later };
            Ok(known.map(|known| {
                let uid = known.uid.clone().unwrap_or(uid);
                ClaimedDraft { known, uid, attempt }
            }))
        })
    }

    /// The stored link of an event.
    pub(crate) fn link(&self, uid: String) -> Answer<Option<String>> {
        self.run(move |connection| {
            let sql = "SELECT link FROM draft WHERE uid = ?1 AND link IS NOT NULL";
            connection.query_row(sql, [uid], |row| row.get(0)).optional()
        })
    }

    /// Stores the link that was created for an event.
    pub(crate) fn note_link(&self, uid: String, link: Option<String>) -> Answer<()> {
        self.run(move |connection| {
            connection.execute("UPDATE draft SET link = ?2 WHERE uid = ?1", params![uid, link])?;
            Ok(())
        })
    }

    /// Stores the event that was created.
    pub(crate) fn note_event(&self, uid: String, made: EventAsMade) -> Answer<()> {
        self.run(move |connection| {
            let event = serde_json::to_string(&made).unwrap_or_default();
            connection
                .execute("UPDATE draft SET event = ?2 WHERE uid = ?1", params![uid, event])?;
            Ok(())
        })
    }

    /// Forgets an event that was deleted and will be created again; its link may or may not exist.
    pub(crate) fn forget_event(&self, uid: String, link: &'static str) -> Answer<()> {
        self.run(move |connection| {
            let sql = "UPDATE draft SET event = NULL,
                       link = CASE WHEN link IS NULL THEN NULL ELSE ?2 END WHERE uid = ?1";
            connection.execute(sql, params![uid, link])?;
            Ok(())
        })
    }

    /// Runs on a blocking thread.
    fn run<T: Send + 'static>(
        &self,
        act: impl FnOnce(&mut Connection) -> rusqlite::Result<T> + Send + 'static,
    ) -> Answer<T> {
        let inner = self.0.clone();
        async move {
            let done = tokio::task::spawn_blocking(move || inner.with(act)).await;
            done.unwrap_or_else(|_| Err(unavailable("the work broke off")))
        }
        .boxed()
    }
}

impl DraftsInner {
    fn with<T>(
        &self,
        act: impl FnOnce(&mut Connection) -> rusqlite::Result<T>,
    ) -> Result<T, CapabilityFault> {
        let mut held = self.connection.lock().unwrap_or_else(PoisonError::into_inner);
        let connection = match held.take() {
            Some(connection) => held.insert(connection),
            None => held.insert(self.open()?),
        };
        act(connection).map_err(|error| self.fault(&error))
    }

    fn open(&self) -> Result<Connection, CapabilityFault> {
        if let Some(folder) = self.path.parent() {
            let made = fs::create_dir_all(folder);
            made.map_err(|error| unavailable(&format!("{}: {error}", folder.display())))?;
        }
        SCHEMA.open(&self.path, BUSY).map_err(|error| self.fault(&error))
    }

    fn fault(&self, error: &dyn std::error::Error) -> CapabilityFault {
        unavailable(&format!("the drafts in `{}` cannot be used: {error}", self.path.display()))
    }
}

/// The parts of a draft that determine its event.
fn essence(content: &str) -> Value {
    let draft: Option<EventDraft> = serde_json::from_str(content).ok();
    draft.map_or_else(|| content.into(), |draft| draft.essence())
}

fn unavailable(message: &str) -> CapabilityFault {
    CapabilityFault::new(FaultCode::Unavailable, message)
}

fn read(
    connection: &Connection,
    conversation: &str,
    id: &str,
) -> rusqlite::Result<Option<StoredDraft>> {
    let sql = "SELECT content, expires_ms, uid, link, event FROM draft
               WHERE conversation = ?1 AND id = ?2";
    let known = |row: &rusqlite::Row<'_>| {
        let event: Option<String> = row.get(4)?;
        Ok(StoredDraft {
            content: row.get(0)?,
            expires_ms: row.get(1)?,
            uid: row.get(2)?,
            link: row.get(3)?,
            event: event.and_then(|text| serde_json::from_str(&text).ok()),
        })
    };
    connection.query_row(sql, [conversation, id], known).optional()
}

#[cfg(test)]
#[path = "drafts_tests.rs"]
mod tests;
