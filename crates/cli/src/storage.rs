//! Opens the store that calls are kept in, and the key that signs its questions.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use aileron_orchestrator::token::Signer;
use aileron_store::{MemoryStore, SqliteOptions, SqliteStore, Store, StoreError, key};

use crate::output::Failure;

/// The file beside the store with the key of confirmations.
const KEY_FILE: &str = "confirmation.key";

/// A store and the signer that belongs to it.
#[derive(Debug)]
pub(crate) struct Storage {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) signer: Signer,
}

impl Storage {
    /// The store at a path; it is made, with its folder, if there is none.
    pub(crate) fn open(path: &Path) -> Result<Self, Failure> {
        let folder = path.parent().unwrap_or(Path::new(""));
        fs::create_dir_all(folder).map_err(|error| {
            Failure::Usage(format!("the folder of `{}` cannot be made: {error}", path.display()))
        })?;
        check_not_emptied(path, &folder.join(KEY_FILE))?;
        let store = SqliteStore::open(path, SqliteOptions::default()).map_err(failure)?;
        let key = key::load_or_make(&folder.join(KEY_FILE)).map_err(failure)?;
        Ok(Self { store: Arc::new(store), signer: Signer::new(key) })
    }

    /// A store that ends with the process.
    pub(crate) fn memory() -> Self {
        // Its tokens never leave the process that made them, so any key will do.
        Self { store: Arc::new(MemoryStore::new()), signer: Signer::new([0; key::KEY_BYTES]) }
    }
}

/// A store that is empty beside a key that is not has lost what it knew: what was done may be done
/// twice. Several stores may share a folder and its key, so one that is not there is begun.
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
