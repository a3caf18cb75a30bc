//! A cache of vectors that are expensive to compute, by model and text.
//!
//! It is a separate file that is written during an ingest, so that an interrupted ingest resumes.
//! It may be deleted at any time.

use std::path::Path;
use std::time::Duration;

use aileron_contract::ContentHash;
use aileron_sqlite::{Schema, SchemaError};
use rusqlite::{Connection, OptionalExtension, params};

use crate::embed::{Cost, Embedder};
use crate::error::KbError;

/// The file in the folder of a knowledge base.
const FILE: &str = "embeddings.db";

/// How long a connection waits for a lock.
const BUSY: Duration = Duration::from_secs(10);

const SCHEMA: Schema<'_> = Schema {
    application_id: None,
    steps: &["CREATE TABLE IF NOT EXISTS vector (
        model TEXT NOT NULL, text TEXT NOT NULL, data BLOB NOT NULL,
        PRIMARY KEY (model, text)
    ) STRICT, WITHOUT ROWID"],
};

/// An embedder with its cache.
#[derive(Debug)]
pub(crate) struct CachedEmbedder<'a> {
    embedder: &'a dyn Embedder,
    cache: Option<Connection>,
}

impl<'a> CachedEmbedder<'a> {
    pub(crate) fn new(embedder: &'a dyn Embedder, folder: &Path) -> Result<Self, KbError> {
        let cache = match embedder.model().cost {
            Cost::Cheap => None,
            Cost::Dear => Some(open(&folder.join(FILE))?),
        };
        Ok(Self { embedder, cache })
    }

    /// A vector for each text, computed or from the cache.
    pub(crate) fn documents(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, KbError> {
        let Some(cache) = &self.cache else { return Ok(self.embedder.documents(texts)?) };
        let keys: Vec<ContentHash> =
            texts.iter().map(|text| ContentHash::of_bytes(text.as_bytes())).collect();
        let mut vectors = Vec::with_capacity(texts.len());
        for key in &keys {
            vectors.push(self.remembered(cache, key)?);
        }
        let absent: Vec<usize> = (0..texts.len()).filter(|i| vectors[*i].is_none()).collect();
        let wanted: Vec<&str> = absent.iter().map(|i| texts[*i]).collect();
        let made = if wanted.is_empty() { Vec::new() } else { self.embedder.documents(&wanted)? };
        self.remember(cache, absent.iter().map(|i| &keys[*i]).zip(&made))?;
        absent.into_iter().zip(made).for_each(|(i, vector)| vectors[i] = Some(vector));
        Ok(vectors.into_iter().flatten().collect())
    }

    fn remembered(
        &self,
        cache: &Connection,
        key: &ContentHash,
    ) -> Result<Option<Vec<f32>>, KbError> {
        let model = self.embedder.model();
        let mut find =
            cache.prepare_cached("SELECT data FROM vector WHERE model = ? AND text = ?")?;
        let found = find.query_row(params![model.name, key.as_str()], |row| row.get(0));
        let data: Option<Vec<u8>> = found.optional()?;
        let vector =
            data.map(|data| data.chunks_exact(4).map(bytemuck::pod_read_unaligned).collect());
        Ok(vector.filter(|vector: &Vec<f32>| vector.len() == model.dim))
    }

    fn remember<'k>(
        &self,
        cache: &Connection,
        made: impl Iterator<Item = (&'k ContentHash, &'k Vec<f32>)>,
    ) -> Result<(), KbError> {
        let transaction = cache.unchecked_transaction()?;
        let model = &self.embedder.model().name;
        for (key, vector) in made {
            let data: &[u8] = bytemuck::cast_slice(vector);
            transaction
                .prepare_cached("INSERT OR REPLACE INTO vector VALUES (?, ?, ?)")?
                .execute(params![model, key.as_str(), data])?;
        }
        Ok(transaction.commit()?)
    }
}

fn open(path: &Path) -> Result<Connection, KbError> {
    let mut cache = Connection::open(path)?;
    cache.busy_timeout(BUSY)?;
    aileron_sqlite::use_log(&cache, BUSY)?;
    // A power cut may lose the last vectors; they are then computed again.
    cache.pragma_update(None, "synchronous", "normal")?;
    SCHEMA.migrate(&mut cache).map_err(|error| match error {
        SchemaError::Newer { found, known } => {
            KbError::Newer { path: path.to_owned(), found, known }
        }
        SchemaError::Foreign => {
            KbError::NotOurs { path: path.to_owned(), why: SchemaError::Foreign.to_string() }
        }
        SchemaError::Sqlite(error) => error.into(),
    })?;
    Ok(cache)
}

#[cfg(test)]
#[path = "cache_tests.rs"]
mod tests;
