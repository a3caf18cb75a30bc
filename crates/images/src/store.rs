//! Images on the disk: files named after their content, and in SQLite which image of which
//! conversation is which file. A file is there before its row, so a row always has its file.

mod database;
mod files;

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use aileron_contract::ContentHash;
use aileron_runtime::capability::images::Image;
use aileron_runtime::capability::{Answer, Fault, FaultCode};
use futures_util::FutureExt;
use rusqlite::Connection;
use serde_json::json;

use self::database::Row;
use crate::inspect::{ImageKind, Inspected};

/// How the address of an image is made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Addresses {
    /// That of its file.
    Files,
    /// This text with the id after it.
    Under(String),
}

/// Images in a folder, which need not be there yet.
#[derive(Clone)]
pub struct ImageStore(Arc<Inner>);

struct Inner {
    folder: PathBuf,
    addresses: Addresses,
    connection: Mutex<Option<Connection>>,
}

impl fmt::Debug for ImageStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ImageStore").field("folder", &self.0.folder).finish()
    }
}

/// An image to be shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenedImage {
    pub bytes: Vec<u8>,
    pub content_type: &'static str,
    /// Of the bytes, in hexadecimal. An id always has the same.
    pub hash: String,
    /// The conversation it was made in.
    pub conversation: String,
}

/// A picture that passed all checks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Fresh {
    pub(crate) what: Inspected,
    pub(crate) bytes: Vec<u8>,
    pub(crate) made_by: String,
}

/// What is known of a key.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Attempt {
    First,
    /// Begun before, and what came of it is not known.
    Open,
    Made(Vec<Image>),
}

impl ImageStore {
    pub fn at(folder: &Path, addresses: Addresses) -> Self {
        let folder = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
        Self(Arc::new(Inner { folder, addresses, connection: Mutex::new(None) }))
    }

    /// The bytes of an image and their type. Who may see it is for the caller to decide.
    pub fn open(&self, id: String) -> Answer<Option<OpenedImage>> {
        self.run(move |inner, db| {
            let Some(row) = database::find(db, &id)? else { return Ok(None) };
            let bytes = files::read(&inner.folder, &row.file_name())?;
            Ok(bytes.map(|bytes| OpenedImage {
                bytes,
                content_type: row.kind.content_type(),
                hash: row.hash,
                conversation: row.conversation,
            }))
        })
    }

    /// An image of this conversation.
    pub(crate) fn find(&self, conversation: String, id: String) -> Answer<Option<Image>> {
        self.run(move |inner, db| {
            let row = database::find(db, &id)?.filter(|row| row.conversation == conversation);
            Ok(row.map(|row| inner.image(row)))
        })
    }

    /// Notes that a key is begun, unless it was before.
    pub(crate) fn begin(&self, conversation: String, key: String, now_ms: i64) -> Answer<Attempt> {
        self.run(move |inner, db| {
            if database::begin(db, &conversation, &key, now_ms)? {
                return Ok(Attempt::First);
            }
            let made = database::made(db, &conversation, &key)?;
            if made.is_empty() {
                return Ok(Attempt::Open);
            }
            Ok(Attempt::Made(made.into_iter().map(|row| inner.image(row)).collect()))
        })
    }

    /// Forgets a key that made nothing.
    pub(crate) fn forget(&self, conversation: String, key: String) -> Answer<()> {
        self.run(move |_, db| database::forget(db, &conversation, &key))
    }

    /// Keeps the images of a key, and deletes those made before `oldest_ms`.
    pub(crate) fn keep(
        &self,
        conversation: String,
        key: String,
        pictures: Vec<Fresh>,
        now_ms: i64,
        oldest_ms: i64,
    ) -> Answer<Vec<Image>> {
        self.run(move |inner, db| {
            let rows: Vec<Row> = (0..)
                .zip(&pictures)
                .map(|(number, fresh)| row(&conversation, &key, number, fresh, now_ms))
                .collect();
            for (row, fresh) in rows.iter().zip(&pictures) {
                files::write(&inner.folder, &row.file_name(), &fresh.bytes)?;
            }
            database::keep(db, &key, &rows)?;
            let kept = database::collect(db, oldest_ms)?;
            files::sweep(&inner.folder, &kept, oldest_ms);
            Ok(rows.into_iter().map(|row| inner.image(row)).collect())
        })
    }

    /// Runs on a thread that may wait for the disk.
    fn run<T: Send + 'static>(
        &self,
        act: impl FnOnce(&Inner, &mut Connection) -> Result<T, Fault> + Send + 'static,
    ) -> Answer<T> {
        let inner = self.0.clone();
        async move {
            let done = tokio::task::spawn_blocking(move || inner.with(act)).await;
            done.unwrap_or_else(|_| Err(unavailable("the work broke off")))
        }
        .boxed()
    }
}

impl Inner {
    fn with<T>(
        &self,
        act: impl FnOnce(&Self, &mut Connection) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        let mut held = self.connection.lock().unwrap_or_else(PoisonError::into_inner);
        let connection = match held.take() {
            Some(connection) => held.insert(connection),
            None => held.insert(database::open(&self.folder)?),
        };
        act(self, connection)
    }

    fn image(&self, row: Row) -> Image {
        let url = match &self.addresses {
            Addresses::Under(base) => format!("{base}{}", row.id),
            Addresses::Files => {
                let path = self.folder.join(row.file_name());
                url::Url::from_file_path(path).map(String::from).unwrap_or_default()
            }
        };
        Image {
            url,
            width: Some(row.width),
            height: Some(row.height),
            content_type: Some(row.kind.content_type().to_owned()),
            made_by: Some(row.made_by),
            id: row.id,
        }
    }
}

fn row(conversation: &str, key: &str, number: u32, fresh: &Fresh, now_ms: i64) -> Row {
    let hash = ContentHash::of_bytes(&fresh.bytes).as_str().to_owned();
    let id = ContentHash::of_value(&json!([conversation, key, number, hash]));
    Row {
        id: format!("img_{}", id.as_str().get(..24).unwrap_or_default()),
        conversation: conversation.to_owned(),
        hash,
        kind: fresh.what.kind,
        width: fresh.what.width,
        height: fresh.what.height,
        made_by: fresh.made_by.clone(),
        made_ms: now_ms,
    }
}

impl Row {
    fn file_name(&self) -> String {
        format!("{}.{}", self.hash, ImageKind::extension(self.kind))
    }
}

fn unavailable(message: &str) -> Fault {
    Fault::new(FaultCode::Unavailable, message)
}

#[cfg(test)]
#[path = "store_tests.rs"]
mod tests;
