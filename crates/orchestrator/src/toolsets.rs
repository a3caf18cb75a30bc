//! The loaded registries, the current one for new conversations, and the archive of earlier ones.

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
    /// Adds a toolset and makes it the current one.
    pub(crate) fn install(&self, toolset: Arc<Toolset>) {
        let version = toolset.registry().version().to_owned();
        let mut loaded = self.write();
        loaded.by_version.insert(version, toolset.clone());
        loaded.current = Some(toolset);
    }

    /// Unloads a toolset, unless it is the current one; returns whether it was loaded.
    pub(crate) fn retire(&self, version: &str) -> bool {
        let mut loaded = self.write();
        let current = loaded.current.as_ref().map(|toolset| toolset.registry().version());
        current != Some(version) && loaded.by_version.remove(version).is_some()
    }

    /// Sets the archive of earlier registries. Only the first call has an effect.
    pub(crate) fn set_archive(&self, archive: Arc<dyn Archive>) {
        let _ = self.archive.set(archive);
    }

    /// The toolset that new conversations use.
    pub(crate) fn current(&self) -> Result<Arc<Toolset>, OpenError> {
        self.read().current.clone().ok_or(OpenError::NoRegistry)
    }

    /// The loaded toolsets, in the order of their versions.
    pub(crate) fn all(&self) -> Vec<Arc<Toolset>> {
        self.read().by_version.values().cloned().collect()
    }

    /// A loaded toolset.
    pub(crate) fn loaded(&self, version: &str) -> Result<Arc<Toolset>, OpenError> {
        let loaded = self.read();
        let found = loaded.by_version.get(version).cloned();
        found.ok_or_else(|| OpenError::RegistryGone {
            pinned: version.to_owned(),
            loaded: loaded.by_version.keys().cloned().collect(),
        })
    }

    /// A loaded toolset, or one from the archive, which new conversations do not use.
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
