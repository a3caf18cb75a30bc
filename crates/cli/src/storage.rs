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

fn failure(error: StoreError) -> Failure {
    Failure::Usage(error.to_string())
}
