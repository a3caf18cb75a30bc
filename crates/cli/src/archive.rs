//! Older registries, from the folder of artifacts beside the store.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use aileron_contract::Artifact;
use aileron_orchestrator::{Archive, Orchestrator};
use aileron_runtime::Registry;
use aileron_store::{Artifacts, Store};

use crate::installation::HandlerEngines;
use crate::output::{self, Failure};
use crate::settings::{HandlerSettings, Settings};

/// The stored artifacts, and the engines of their handlers.
#[derive(Debug)]
struct ArtifactArchive {
    artifacts: Artifacts,
    handlers: HandlerSettings,
    /// Created for the first registry, because most commands load none from here.
    engines: OnceLock<HandlerEngines>,
    folders: ToolFolders,
}

impl ArtifactArchive {
    fn engines(&self) -> Result<&HandlerEngines, String> {
        if let Some(engines) = self.engines.get() {
            return Ok(engines);
        }
        let made = HandlerEngines::new(&self.handlers).map_err(|failure| failure.to_string())?;
        Ok(self.engines.get_or_init(|| made))
    }
}

impl Archive for ArtifactArchive {
    fn load(&self, version: &str) -> Result<Option<Arc<Registry>>, String> {
        let found = self.artifacts.find(version).map_err(|error| error.to_string())?;
        for (path, text) in found {
            let loaded = self.engines()?.past_registry(&text, &self.folders.all());
            let registry = loaded.map_err(|why| format!("`{}`: {why}", path.display()))?;
            if registry.version() == version {
                return Ok(Some(registry));
            }
        }
        Ok(None)
    }
}

/// The folders beside which Node.js and Python handlers find their packages. Clones share them.
#[derive(Debug, Clone, Default)]
pub(crate) struct ToolFolders(Arc<Mutex<Vec<PathBuf>>>);

impl ToolFolders {
    pub(crate) fn add(&self, folder: PathBuf) {
        let mut folders = self.lock();
        if !folders.contains(&folder) {
            folders.push(folder);
        }
    }

    fn all(&self) -> Vec<PathBuf> {
        self.lock().clone()
    }

    fn lock(&self) -> MutexGuard<'_, Vec<PathBuf>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Lets conversations that began with an older registry continue with it.
pub(crate) fn attach(orchestrator: &Orchestrator, artifacts: Artifacts, settings: &Settings) {
    let folders = ToolFolders::default();
    folders.add(settings.server.tools.clone());
    attach_with(orchestrator, artifacts, &settings.handlers, (OnceLock::new(), folders));
}

/// The same with the engines of the other registries, which share their threads.
pub(crate) fn attach_with(
    orchestrator: &Orchestrator,
    artifacts: Artifacts,
    handlers: &HandlerSettings,
    (engines, folders): (OnceLock<HandlerEngines>, ToolFolders),
) {
    let archive = ArtifactArchive { artifacts, handlers: handlers.clone(), engines, folders };
    orchestrator.set_archive(Arc::new(archive));
}

/// Stores the artifacts of this process for its conversations, and deletes those that nobody needs.
#[derive(Debug)]
pub(crate) struct ArtifactKeeper {
    artifacts: Artifacts,
    /// The versions that this process has stored; new conversations may begin with them at any time.
    own: Mutex<BTreeSet<String>>,
}

impl ArtifactKeeper {
    pub(crate) fn new(artifacts: Artifacts) -> Self {
        Self { artifacts, own: Mutex::default() }
    }

    pub(crate) fn artifacts(&self) -> &Artifacts {
        &self.artifacts
    }

    /// Stores an artifact.
    pub(crate) fn keep(&self, text: &str) -> Result<(), Failure> {
        let usage = |error: String| Failure::Usage(error);
        let artifact = Artifact::read(text).map_err(|error| usage(error.to_string()))?;
        let mut own = self.own();
        let kept = self.artifacts.keep(&artifact.content_hash, text);
        kept.map_err(|error| usage(error.to_string()))?;
        own.insert(artifact.version);
        Ok(())
    }

    /// Deletes the artifacts that no conversation needs. Keeps them while another process has the store open,
    /// because it may start conversations with a registry that none is pinned to yet.
    pub(crate) async fn prune(&self, store: Arc<dyn Store>) {
        if !self.artifacts.has_others(&self.own()) || store.is_shared() {
            return;
        }
        match store.pinned_registries().await {
            Ok(pinned) => {
                let own = self.own();
                let needed = pinned.into_keys().chain(own.iter().cloned()).collect();
                self.artifacts.prune(&needed);
            }
            Err(error) => output::talk(&format!("old registries are kept: {error}")),
        }
    }

    fn own(&self) -> MutexGuard<'_, BTreeSet<String>> {
        self.own.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
