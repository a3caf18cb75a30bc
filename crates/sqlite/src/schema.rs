//! Schema versions of a database file: brings an older file up to date, and refuses a newer one, so that
//! no older program changes a file whose tables it does not know.

use std::fmt;
use std::path::Path;
use std::time::Duration;

use rusqlite::{Connection, TransactionBehavior};

use crate::{FileHeader, read_header, use_log};

/// The tables of one kind of database, as steps from each version to the next.
#[derive(Debug, Clone, Copy)]
pub struct Schema<'a> {
    /// The `application_id` of the file. A kind of database without one is recognised by its path alone.
    pub application_id: Option<i64>,
    /// Step `n` makes version `n + 1` from version `n`. A released step never changes.
    pub steps: &'a [&'a str],
}

/// Why a database file is not used.
#[derive(Debug)]
pub enum SchemaError {
    /// A newer program wrote the file.
    Newer {
        found: i64,
        known: i64,
    },
    /// Another program made the file.
    Foreign,
    Sqlite(rusqlite::Error),
}

impl fmt::Display for SchemaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Newer { found, known } => write!(
                f,
                "expected format {known} or an older one, found format {found}; use the Aileron that \
                 wrote the file or a later one"
            ),
            Self::Foreign => {
                f.write_str("expected one that Aileron made, found another program's database")
            }
            Self::Sqlite(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for SchemaError {}

impl From<rusqlite::Error> for SchemaError {
    fn from(error: rusqlite::Error) -> Self {
        Self::Sqlite(error)
    }
}

impl Schema<'_> {
    /// Opens a file whose commits are durable, checked and migrated. Waits up to `busy` for others.
    pub fn open(&self, path: &Path, busy: Duration) -> Result<Connection, SchemaError> {
        let mut connection = Connection::open(path)?;
        connection.busy_timeout(busy)?;
        self.check(&connection)?;
        use_log(&connection, busy)?;
        connection.pragma_update(None, "synchronous", "FULL")?;
        self.migrate(&mut connection)?;
        Ok(connection)
    }

    /// The version of the file, 0 if it is empty. Fails if the file is another program's or newer.
    pub fn check(&self, connection: &Connection) -> Result<i64, SchemaError> {
        let FileHeader { application, version: found, items } = read_header(connection)?;
        let known = self.newest();
        let is_ours = self.application_id.is_none_or(|id| id == application);
        let is_empty = application == 0 && found == 0 && items == 0;
        match (is_ours, is_empty) {
            (true, _) if found > known => Err(SchemaError::Newer { found, known }),
            (true, _) => Ok(found),
            (false, true) => Ok(0),
            (false, false) => Err(SchemaError::Foreign),
        }
    }

    /// Brings the file to the newest version in one transaction, unless it already has it.
    pub fn migrate(&self, connection: &mut Connection) -> Result<(), SchemaError> {
        if self.check(connection)? == self.newest() {
            return Ok(());
        }
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        // Another process may have migrated the file while this one waited for the lock.
        let found = self.check(&transaction)?;
        for step in self.steps.iter().skip(usize::try_from(found).unwrap_or(0)) {
            transaction.execute_batch(step)?;
        }
        if let Some(id) = self.application_id {
            transaction.pragma_update(None, "application_id", id)?;
        }
        transaction.pragma_update(None, "user_version", self.newest())?;
        Ok(transaction.commit()?)
    }

    fn newest(&self) -> i64 {
        i64::try_from(self.steps.len()).unwrap_or(i64::MAX)
    }
}

#[cfg(test)]
#[path = "schema_tests.rs"]
mod tests;
