//! Opens the store, and the key that signs its confirmations.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use aileron_orchestrator::token::Signer;
use aileron_store::{Artifacts, MemoryStore, SqliteOptions, SqliteStore, Store, StoreError, key};

use crate::output::Failure;

/// The file beside the store with the key of confirmations.
const KEY_FILE: &str = "confirmation.key";

/// A store and the signer that belongs to it.
#[derive(Debug)]
pub(crate) struct Storage {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) signer: Signer,
    /// The artifacts of registries beside the store; none for a store in memory.
    pub(crate) artifacts: Option<Artifacts>,
}

impl Storage {
    /// Opens the store at a path; creates it and its folder if needed.
    pub(crate) fn open(path: &Path) -> Result<Self, Failure> {
        let folder = path.parent().unwrap_or(Path::new(""));
        fs::create_dir_all(folder).map_err(|error| {
            Failure::Usage(format!("the folder of `{}` cannot be made: {error}", path.display()))
        })?;
        check_not_emptied(path, &folder.join(KEY_FILE))?;
        let store = SqliteStore::open(path, SqliteOptions::default()).map_err(failure)?;
        let key = key::load_or_make(&folder.join(KEY_FILE)).map_err(failure)?;
        let artifacts = Some(Artifacts::beside(path));
        Ok(Self { store: Arc::new(store), signer: Signer::new(key), artifacts })
    }

    /// A store in memory.
    pub(crate) fn memory() -> Self {
        // Its tokens are used only in this process, so a random key is sufficient.
        let signer = Signer::new([0; key::KEY_BYTES]);
        Self { store: Arc::new(MemoryStore::new()), signer, artifacts: None }
    }
}

/// Refuses an empty store beside an existing key: it has lost its ledger, so calls could run twice.
/// A missing store is created, because several stores may share a folder and its key.
fn check_not_emptied(path: &Path, key: &Path) -> Result<(), Failure> {
    if !key.exists() || !fs::metadata(path).is_ok_and(|file| file.len() == 0) {
        return Ok(());
    }
    let (path, key) = (path.display(), key.display());
    Err(Failure::Usage(format!(
        "expected the store `{path}` that the key `{key}` belongs to, found an empty file; \
         restore it with its -wal file, or remove the empty file to begin anew"
    )))
}

fn failure(error: StoreError) -> Failure {
    Failure::Usage(error.to_string())
}
