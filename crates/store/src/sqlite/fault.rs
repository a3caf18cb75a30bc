//! Maps errors of SQLite to errors of the store.

use std::error::Error as StdError;
use std::path::Path;

use rusqlite::types::Type;
use rusqlite::{Error, ErrorCode};

use crate::error::StoreError;

/// A fault while writing.
pub(super) fn writing(error: &Error) -> StoreError {
    let Some(code) = error.sqlite_error_code() else { return content(error) };
    let advice = match code {
        ErrorCode::DiskFull => "the disk, or the size the store may have, is full; make room",
        ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked => {
            "another process held the write lock for too long; find it and end it"
        }
        ErrorCode::ReadOnly | ErrorCode::PermissionDenied => {
            "the file or its folder may not be written; change its permissions"
        }
        ErrorCode::CannotOpen => "the file cannot be opened; check that its folder is there",
        ErrorCode::SystemIoFailure => "the disk reported a failure; look at the system's log",
        ErrorCode::OutOfMemory => "there is no memory left",
        _ => return other(error, code),
    };
    StoreError::Unwritable { why: format!("{advice} ({error})") }
}

/// A fault while reading.
pub(super) fn reading(error: &Error) -> StoreError {
    while_reading(writing(error))
}

/// The same fault, when the operation was a read.
pub(super) fn while_reading(error: StoreError) -> StoreError {
    match error {
        StoreError::Unwritable { why } | StoreError::Rejected { why } => {
            StoreError::Unreadable { why }
        }
        other => other,
    }
}

/// A fault while opening. A file that is not a database belongs to another program.
pub(super) fn opening(error: &Error, path: &Path) -> StoreError {
    match error.sqlite_error_code() {
        Some(ErrorCode::NotADatabase) => {
            let why = "expected an SQLite database, found something else".to_owned();
            StoreError::NotOurs { path: path.to_owned(), why }
        }
        _ => writing(error),
    }
}

fn other(error: &Error, code: ErrorCode) -> StoreError {
    let why = error.to_string();
    match code {
        ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase => StoreError::Corrupt { why },
        _ => StoreError::Rejected { why },
    }
}

fn content(error: &Error) -> StoreError {
    let why = error.to_string();
    match error {
        Error::FromSqlConversionFailure(..) | Error::InvalidColumnType(..) => {
            StoreError::Corrupt { why }
        }
        _ => StoreError::Rejected { why },
    }
}

/// Turns a stored text that cannot be parsed into an error of its column.
pub(super) fn column<T, E>(index: usize, parsed: Result<T, E>) -> rusqlite::Result<T>
where
    E: StdError + Send + Sync + 'static,
{
    parsed.map_err(|error| Error::FromSqlConversionFailure(index, Type::Text, Box::new(error)))
}
