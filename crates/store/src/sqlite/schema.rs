//! The tables, as migrations from one version of the format to the next.

use std::path::Path;

use aileron_sqlite::{Schema, SchemaError};
use rusqlite::Connection;

use super::fault;
use crate::error::StoreError;

/// `AILR`: marks a database as ours.
const APPLICATION_ID: i64 = 0x4149_4c52;

/// Each step migrates from the version before. A step is never changed after its release.
pub(super) const STEPS: &[&str] =
    &[VERSION_1, VERSION_2, VERSION_3, VERSION_4, VERSION_5, VERSION_6, VERSION_7, VERSION_8];

/// States of a ledger row: 0 started, 1 finished, 2 abandoned. `facts` is the
/// audit entry of a call that has no record yet; `answer` is set when finished.
/// Ids grow and are never reused, so that a process can ask for the rows that
/// others added since it last looked.
///
/// The triggers prevent accidents, not attacks: a user who may write the file can drop them. The
/// hash chain makes forged records detectable.
const VERSION_1: &str = "
CREATE TABLE ledger (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    conversation TEXT NOT NULL,
    key TEXT NOT NULL,
    state INTEGER NOT NULL,
    writes INTEGER NOT NULL,
    instance TEXT NOT NULL,
    time INTEGER NOT NULL,
    call_id TEXT NOT NULL,
    tool TEXT NOT NULL,
    version TEXT,
    args_hash TEXT NOT NULL,
    facts TEXT,
    answer TEXT
) STRICT;
CREATE UNIQUE INDEX ledger_key ON ledger (conversation, key);
CREATE INDEX ledger_time ON ledger (time);
CREATE INDEX ledger_started ON ledger (instance) WHERE state = 0;

CREATE TABLE confirmations (
    token TEXT PRIMARY KEY,
    conversation TEXT NOT NULL,
    user TEXT,
    expires INTEGER NOT NULL,
    body TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX confirmations_conversation ON confirmations (conversation);

CREATE TABLE blocks (
    user TEXT PRIMARY KEY,
    until INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE conversations (
    id TEXT PRIMARY KEY,
    version INTEGER NOT NULL,
    time INTEGER NOT NULL,
    body TEXT NOT NULL
) STRICT;

CREATE TABLE audit (
    seq INTEGER PRIMARY KEY,
    time INTEGER NOT NULL,
    conversation TEXT NOT NULL,
    user TEXT,
    tool TEXT NOT NULL,
    outcome TEXT NOT NULL,
    body TEXT NOT NULL,
    hash TEXT NOT NULL
) STRICT;
CREATE INDEX audit_conversation ON audit (conversation);

CREATE TABLE audit_links (
    name TEXT PRIMARY KEY,
    seq INTEGER NOT NULL,
    hash TEXT NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO audit_links VALUES
    ('base', 0, 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'),
    ('head', 0, 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');

CREATE TRIGGER audit_is_never_changed BEFORE UPDATE ON audit
BEGIN SELECT RAISE(ABORT, 'audit records are never changed'); END;
CREATE TRIGGER audit_is_only_pruned BEFORE DELETE ON audit
WHEN OLD.seq > (SELECT seq FROM audit_links WHERE name = 'base')
BEGIN SELECT RAISE(ABORT, 'audit records are only removed by pruning'); END;
";

/// The log of each conversation; entries are appended, and removed with the conversation.
const VERSION_2: &str = "
CREATE TABLE messages (
    conversation TEXT NOT NULL,
    seq INTEGER NOT NULL,
    time INTEGER NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (conversation, seq)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER messages_are_never_changed BEFORE UPDATE ON messages
BEGIN SELECT RAISE(ABORT, 'messages are never changed'); END;
";

/// The person of each conversation. Older conversations have it in their documents.
const VERSION_3: &str = "
ALTER TABLE conversations ADD COLUMN owner TEXT;
UPDATE conversations SET owner = json_extract(json_extract(body, '$.lasting'), '$.user')
WHERE json_valid(body) AND json_valid(json_extract(body, '$.lasting'));
CREATE INDEX conversations_owner ON conversations (owner, id);
";

/// Calls that are counted towards limits. Row numbers are never reused, so that a count in progress
/// can be told from committed ones.
const VERSION_4: &str = "
CREATE TABLE rates (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    counter TEXT NOT NULL,
    time INTEGER NOT NULL,
    until INTEGER NOT NULL
) STRICT;
CREATE INDEX rates_counter ON rates (counter);
CREATE INDEX rates_until ON rates (until);
";

/// An index to find conversations that were not used for a long time.
const VERSION_5: &str = "CREATE INDEX conversations_time ON conversations (time, id);";

/// The owner of each conversation, and whether it has ended; the number of commits; the progress of
/// retention.
const VERSION_6: &str = "
ALTER TABLE conversations ADD COLUMN ended INTEGER NOT NULL DEFAULT 0;
ALTER TABLE conversations ADD COLUMN epoch INTEGER NOT NULL DEFAULT 0;
ALTER TABLE conversations ADD COLUMN holder TEXT;
ALTER TABLE conversations ADD COLUMN wanted INTEGER NOT NULL DEFAULT 0;
UPDATE conversations SET ended = 1
WHERE json_valid(body) AND json_valid(json_extract(body, '$.lasting'))
AND json_extract(json_extract(body, '$.lasting'), '$.state.standing.is') = 'ended';
CREATE INDEX conversations_wanted ON conversations (holder) WHERE wanted = 1;
CREATE TRIGGER ended_conversations_stay_ended BEFORE UPDATE ON conversations
WHEN OLD.ended = 1 AND NEW.ended = 0
BEGIN SELECT RAISE(ABORT, 'a conversation that has ended stays so'); END;

CREATE TABLE commits (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    made INTEGER NOT NULL
) STRICT;
INSERT INTO commits VALUES (1, 0);

CREATE TABLE retention (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    reached INTEGER NOT NULL,
    seen INTEGER NOT NULL,
    lived INTEGER NOT NULL,
    ahead INTEGER NOT NULL,
    ahead_at INTEGER NOT NULL,
    instance TEXT NOT NULL
) STRICT;
";

/// The confirmations that were decided; lists of conversations by time, and of open and decided
/// confirmations.
const VERSION_7: &str = "
CREATE TABLE decided_confirmations (
    token TEXT PRIMARY KEY,
    conversation TEXT NOT NULL,
    user TEXT,
    expires INTEGER NOT NULL,
    body TEXT NOT NULL,
    time INTEGER NOT NULL,
    decision TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX decided_time ON decided_confirmations (time);
CREATE INDEX decided_conversation ON decided_confirmations (conversation);
CREATE INDEX confirmations_expires ON confirmations (expires);
DROP INDEX conversations_owner;
CREATE INDEX conversations_recent ON conversations (owner, time, id);
";

/// Calls that continue after their first answer. `answer` is set when `ended` is.
const VERSION_8: &str = "
CREATE TABLE tasks (
    id TEXT PRIMARY KEY,
    conversation TEXT NOT NULL,
    user TEXT,
    call_id TEXT NOT NULL,
    key TEXT NOT NULL,
    tool TEXT NOT NULL,
    began INTEGER NOT NULL,
    runs INTEGER NOT NULL,
    body TEXT NOT NULL,
    progress TEXT,
    cancelled INTEGER NOT NULL,
    ended INTEGER,
    answer TEXT,
    told INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX tasks_recent ON tasks (began, id);
CREATE INDEX tasks_user ON tasks (user, began, id);
CREATE INDEX tasks_conversation ON tasks (conversation, began, id);
CREATE INDEX tasks_running ON tasks (began, id) WHERE ended IS NULL;
CREATE INDEX tasks_ended ON tasks (ended) WHERE ended IS NOT NULL;
";

/// Checks that the database is ours, or empty, and has a version that we know.
pub(super) fn check(
    connection: &Connection,
    path: &Path,
    steps: &[&str],
) -> Result<i64, StoreError> {
    let opening = |error: rusqlite::Error| fault::opening(&error, path);
    schema(steps).check(connection).map_err(|error| refusal(error, path, opening))
}

/// Migrates the database to the newest version, in one transaction.
pub(super) fn migrate(
    connection: &mut Connection,
    path: &Path,
    steps: &[&str],
) -> Result<(), StoreError> {
    let writing = |error: rusqlite::Error| fault::writing(&error);
    schema(steps).migrate(connection).map_err(|error| refusal(error, path, writing))
}

fn schema<'a>(steps: &'a [&'a str]) -> Schema<'a> {
    Schema { application_id: Some(APPLICATION_ID), steps }
}

fn refusal(
    error: SchemaError,
    path: &Path,
    of_sqlite: impl FnOnce(rusqlite::Error) -> StoreError,
) -> StoreError {
    let (path, why) = (path.to_owned(), error.to_string());
    match error {
        SchemaError::Newer { found, known } => StoreError::Newer { path, found, known },
        SchemaError::Foreign => StoreError::NotOurs { path, why },
        SchemaError::Sqlite(error) => of_sqlite(error),
    }
}

#[cfg(test)]
#[path = "schema_tests.rs"]
mod tests;
