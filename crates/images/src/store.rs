//! Images on the disk: files named by the hash of their content, and in SQLite the rows that map the
//! images of conversations to files. A file is written before its row, so a row always has its file.
//! An expired image is not found, whether or not it is deleted yet.

mod database;
mod files;

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use aileron_capability::Clock;
use aileron_capability::images::Image;
use aileron_capability::{Answer, CapabilityFault, FaultCode};
use aileron_contract::ContentHash;
use futures_util::FutureExt;
use rusqlite::Connection;
use serde_json::json;

use self::database::ImageRow;
use crate::inspect::{ImageFacts, ImageKind};

/// How often expired images are deleted.
const SWEEP_EVERY: Duration = Duration::from_secs(3600);

/// How the address of an image is made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Addresses {
    /// The path of its file.
    Files,
    /// This prefix followed by the id.
    Under(String),
}

/// Images in a folder, which is created when needed.
#[derive(Clone)]
pub struct ImageStore(Arc<ImageStoreInner>);

struct ImageStoreInner {
    folder: PathBuf,
    addresses: Addresses,
    max_age_ms: i64,
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
    /// Hash of the bytes, in hexadecimal. It never changes for an id.
    pub hash: String,
    /// The conversation it was made in.
    pub conversation: String,
    /// Time until it expires.
    pub time_left: Duration,
}

/// A picture that passed all checks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ValidatedImage {
    pub(crate) what: ImageFacts,
    pub(crate) bytes: Vec<u8>,
    pub(crate) made_by: String,
    pub(crate) label: Option<String>,
    pub(crate) note: Option<String>,
}

/// One requested image, whether it exists or not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ImageSlot {
    pub(crate) conversation: String,
    pub(crate) key: String,
    /// Its index within the request, from 0.
    pub(crate) number: u32,
}

/// The recorded state of a slot.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum SlotState {
    First,
    /// Begun before, with an unknown outcome.
    Open,
    /// The service answered without a usable image, for this reason.
    Failed(String),
    Made(Image),
}

impl ImageStore {
    /// A store in this folder that keeps each image for this time.
    pub fn at(folder: &Path, addresses: Addresses, max_age: Duration) -> Self {
        let folder = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
        let max_age_ms = i64::try_from(max_age.as_millis()).unwrap_or(i64::MAX);
        Self(Arc::new(ImageStoreInner {
            folder,
            addresses,
            max_age_ms,
            connection: Mutex::new(None),
        }))
    }

    /// The bytes of an image and their type. The caller decides whether the person may see it.
    pub fn open(&self, id: String, now_ms: u64) -> Answer<Option<OpenedImage>> {
        let now_ms = signed(now_ms);
        self.run(move |inner, db| {
            let Some(row) = inner.row(db, &id, now_ms)? else { return Ok(None) };
            let bytes = files::read(&inner.folder, &row.file_name())?;
            Ok(bytes.map(|bytes| OpenedImage {
                bytes,
                content_type: row.kind.content_type(),
                time_left: inner.time_left(&row, now_ms),
                hash: row.hash,
                conversation: row.conversation,
            }))
        })
    }

    /// Deletes expired images from time to time, by this clock. Runs until it is cancelled.
    pub async fn tend(self, clock: Arc<dyn Clock>) {
        loop {
            tokio::time::sleep(SWEEP_EVERY).await;
            // A file that cannot be deleted now is tried again next time.
            let _ = self.sweep(clock.now_ms()).await;
        }
    }

    /// Deletes expired images. Creates nothing where no image was ever stored.
    pub fn sweep(&self, now_ms: u64) -> Answer<()> {
        if !database::is_in(&self.0.folder) {
            return std::future::ready(Ok(())).boxed();
        }
        self.run(move |inner, db| inner.sweep(db, signed(now_ms)))
    }

    /// An image of this conversation.
    pub(crate) fn find(
        &self,
        conversation: String,
        id: String,
        now_ms: u64,
    ) -> Answer<Option<Image>> {
        self.run(move |inner, db| {
            let row = inner.row(db, &id, signed(now_ms))?;
            let own = row.filter(|row| row.conversation == conversation);
            Ok(own.map(|row| inner.image(row)))
        })
    }

    /// Records that a slot is begun, unless it was before.
    pub(crate) fn begin(&self, slot: &ImageSlot, now_ms: u64) -> Answer<SlotState> {
        let (slot, now_ms) = (slot.clone(), signed(now_ms));
        self.run(move |inner, db| {
            database::expire(db, inner.oldest(now_ms))?;
            if let Some(row) = database::made(db, &slot)? {
                return Ok(SlotState::Made(inner.image(row)));
            }
            if database::begin(db, &slot, now_ms)? {
                return Ok(SlotState::First);
            }
            Ok(database::failure(db, &slot)?.map_or(SlotState::Open, SlotState::Failed))
        })
    }

    /// Forgets a slot in which nothing was made.
    pub(crate) fn forget(&self, slot: &ImageSlot) -> Answer<()> {
        let slot = slot.clone();
        self.run(move |_, db| database::forget(db, &slot))
    }

    /// Records that the service answered a slot without a usable image.
    pub(crate) fn fail(&self, slot: &ImageSlot, reason: &str) -> Answer<()> {
        let (slot, reason) = (slot.clone(), reason.to_owned());
        self.run(move |_, db| database::fail(db, &slot, &reason))
    }

    /// Stores the image of a slot, and deletes expired ones.
    pub(crate) fn keep(
        &self,
        slot: &ImageSlot,
        fresh: ValidatedImage,
        now_ms: u64,
    ) -> Answer<Image> {
        let (slot, now_ms) = (slot.clone(), signed(now_ms));
        self.run(move |inner, db| {
            let row = row(&slot, &fresh, now_ms);
            files::write(&inner.folder, &row.file_name(), &fresh.bytes)?;
            database::keep(db, &slot, &row)?;
            inner.sweep(db, now_ms)?;
            Ok(inner.image(row))
        })
    }

    /// Runs on a thread that may wait for the disk.
    fn run<T: Send + 'static>(
        &self,
        act: impl FnOnce(&ImageStoreInner, &mut Connection) -> Result<T, CapabilityFault>
        + Send
        + 'static,
    ) -> Answer<T> {
        let inner = self.0.clone();
        async move {
            let done = tokio::task::spawn_blocking(move || inner.with(act)).await;
            done.unwrap_or_else(|_| Err(unavailable("the work broke off")))
        }
        .boxed()
    }
}

impl ImageStoreInner {
    fn with<T>(
        &self,
        act: impl FnOnce(&Self, &mut Connection) -> Result<T, CapabilityFault>,
    ) -> Result<T, CapabilityFault> {
        let mut held = self.connection.lock().unwrap_or_else(PoisonError::into_inner);
        let connection = match held.take() {
            Some(connection) => held.insert(connection),
            None => held.insert(database::open(&self.folder)?),
        };
        act(self, connection)
    }

    /// The creation time of the oldest image that has not expired.
    fn oldest(&self, now_ms: i64) -> i64 {
        now_ms.saturating_sub(self.max_age_ms)
    }

    fn time_left(&self, row: &ImageRow, now_ms: i64) -> Duration {
        let age = now_ms.saturating_sub(row.made_ms).max(0);
        Duration::from_millis(u64::try_from(self.max_age_ms.saturating_sub(age)).unwrap_or(0))
    }

    /// An image that has not expired.
    fn row(
        &self,
        db: &Connection,
        id: &str,
        now_ms: i64,
    ) -> Result<Option<ImageRow>, CapabilityFault> {
        let row = database::find(db, id)?;
        Ok(row.filter(|row| row.made_ms >= self.oldest(now_ms)))
    }

    fn sweep(&self, db: &mut Connection, now_ms: i64) -> Result<(), CapabilityFault> {
        let oldest = self.oldest(now_ms);
        database::expire(db, oldest)?;
        files::sweep(&self.folder, &database::files(db)?, oldest, now_ms);
        Ok(())
    }

    fn image(&self, row: ImageRow) -> Image {
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
            label: row.label,
            note: row.note,
            id: row.id,
        }
    }
}

fn row(slot: &ImageSlot, fresh: &ValidatedImage, now_ms: i64) -> ImageRow {
    let hash = ContentHash::of_bytes(&fresh.bytes).as_str().to_owned();
    let id = ContentHash::of_value(&json!([slot.conversation, slot.key, slot.number, hash]));
    ImageRow {
        id: format!("img_{}", id.as_str().get(..24).unwrap_or_default()),
        conversation: slot.conversation.clone(),
        hash,
        kind: fresh.what.kind,
        width: fresh.what.width,
        height: fresh.what.height,
        made_by: fresh.made_by.clone(),
        label: fresh.label.clone(),
        note: fresh.note.clone(),
        made_ms: now_ms,
    }
}

impl ImageRow {
    fn file_name(&self) -> String {
        format!("{}.{}", self.hash, ImageKind::extension(self.kind))
    }
}

fn signed(ms: u64) -> i64 {
    i64::try_from(ms).unwrap_or(i64::MAX)
}

fn unavailable(message: &str) -> CapabilityFault {
    CapabilityFault::new(FaultCode::Unavailable, message)
}

#[cfg(test)]
#[path = "store_tests.rs"]
mod tests;
