//! Registries that are not loaded and that conversations began with: found, loaded and kept beside
//! the others when the first of those conversations is taken up again.

use std::fmt;
use std::sync::Arc;

use aileron_runtime::Registry;

use crate::orchestrator::{Core, OpenError};
use crate::toolset::Toolset;

/// Where registries of before are found.
pub trait Archive: Send + Sync + fmt::Debug {
    /// The registry of this version, `None` if there is none, or why it cannot be loaded. May block.
    fn load(&self, version: &str) -> Result<Option<Arc<Registry>>, String>;
}

impl Core {
    /// The registry of this version, from the archive if it is not loaded.
    pub(crate) async fn toolset_of(&self, version: &str) -> Result<Arc<Toolset>, OpenError> {
        let gone = match self.toolset(Some(version)) {
            Err(gone @ OpenError::RegistryGone { .. }) => gone,
            found => return found,
        };
        let Some(archive) = self.archive.get().cloned() else { return Err(gone) };
        let wanted = version.to_owned();
        let loading = tokio::task::spawn_blocking(move || archive.load(&wanted));
        let loaded = loading.await.unwrap_or_else(|panic| Err(panic.to_string()));
        let unusable =
            |why: String| OpenError::RegistryUnusable { pinned: version.to_owned(), why };
        let Some(registry) = loaded.map_err(unusable)? else { return Err(gone) };
        let toolset = Toolset::new(registry).map_err(|error| unusable(error.to_string()))?;
        Ok(self.add_past(Arc::new(toolset)))
    }
}
