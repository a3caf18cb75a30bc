//! The registries that are loaded, the one that new conversations get, and the archive of earlier ones.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use crate::archive::Archive;
use crate::open_error::OpenError;
use crate::toolset::Toolset;

#[derive(Debug, Default)]
pub(crate) struct Toolsets {
    loaded: RwLock<LoadedToolsets>,
    archive: OnceLock<Arc<dyn Archive>>,
}

#[derive(Debug, Default)]
struct LoadedToolsets {
    by_version: BTreeMap<String, Arc<Toolset>>,
    current: Option<Arc<Toolset>>,
}

impl Toolsets {
    /// Adds a toolset, which new conversations get.
    pub(crate) fn install(&self, toolset: Arc<Toolset>) {
        let version = toolset.registry().version().to_owned();
        let mut loaded = self.write();
        loaded.by_version.insert(version, toolset.clone());
        loaded.current = Some(toolset);
    }

    /// Forgets a toolset, unless new conversations get it; says whether it was loaded.
    pub(crate) fn retire(&self, version: &str) -> bool {
        let mut loaded = self.write();
        let current = loaded.current.as_ref().map(|toolset| toolset.registry().version());
        current != Some(version) && loaded.by_version.remove(version).is_some()
    }

    /// Names the archive of earlier registries. The first one stays.
    pub(crate) fn set_archive(&self, archive: Arc<dyn Archive>) {
        let _ = self.archive.set(archive);
    }

    /// The toolset that new conversations get.
    pub(crate) fn current(&self) -> Result<Arc<Toolset>, OpenError> {
        self.read().current.clone().ok_or(OpenError::NoRegistry)
    }

    /// A toolset that is loaded.
    pub(crate) fn loaded(&self, version: &str) -> Result<Arc<Toolset>, OpenError> {
        let loaded = self.read();
        let found = loaded.by_version.get(version).cloned();
        found.ok_or_else(|| OpenError::RegistryGone {
            pinned: version.to_owned(),
            loaded: loaded.by_version.keys().cloned().collect(),
        })
    }

    /// A toolset that is loaded, or that the archive has. New conversations do not get the latter.
    pub(crate) async fn find(&self, version: &str) -> Result<Arc<Toolset>, OpenError> {
        let gone = match self.loaded(version) {
            Err(gone) => gone,
            Ok(found) => return Ok(found),
        };
        let Some(archive) = self.archive.get().cloned() else { return Err(gone) };
        let wanted = version.to_owned();
        let loading = tokio::task::spawn_blocking(move || archive.load(&wanted));
        let loaded = loading.await.unwrap_or_else(|panic| Err(panic.to_string()));
        let unusable =
            |why: String| OpenError::RegistryUnusable { pinned: version.to_owned(), why };
        let Some(registry) = loaded.map_err(unusable)? else { return Err(gone) };
        let toolset = Toolset::new(registry).map_err(|error| unusable(error.to_string()))?;
        let version = toolset.registry().version().to_owned();
        Ok(self.write().by_version.entry(version).or_insert(Arc::new(toolset)).clone())
    }

    fn read(&self) -> RwLockReadGuard<'_, LoadedToolsets> {
        self.loaded.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, LoadedToolsets> {
        self.loaded.write().unwrap_or_else(PoisonError::into_inner)
    }
}
