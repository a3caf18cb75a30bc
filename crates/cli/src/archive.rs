//! Older registries, from the folder of artifacts beside the store.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

use aileron_contract::Artifact;
use aileron_orchestrator::{Archive, Orchestrator};
use aileron_runtime::Registry;
use aileron_store::{Artifacts, Store};

use crate::installation;
use crate::output::{self, Failure};
use crate::settings::{HandlerSettings, Settings};

/// The stored artifacts, and the engine for their handlers.
#[derive(Debug)]
struct ArtifactArchive {
    artifacts: Artifacts,
    handlers: HandlerSettings,
    tools: PathBuf,
}

impl Archive for ArtifactArchive {
    fn load(&self, version: &str) -> Result<Option<Arc<Registry>>, String> {
        let found = self.artifacts.find(version).map_err(|error| error.to_string())?;
        for (path, text) in found {
            let loaded = installation::past_registry(&text, &self.handlers, &self.tools);
            let registry = loaded.map_err(|why| format!("`{}`: {why}", path.display()))?;
            if registry.version() == version {
                return Ok(Some(registry));
            }
        }
        Ok(None)
    }
}

/// Lets conversations that began with an older registry continue with it.
pub(crate) fn attach(orchestrator: &Orchestrator, artifacts: Artifacts, settings: &Settings) {
    let (handlers, tools) = (settings.handlers.clone(), settings.server.tools.clone());
    let archive = ArtifactArchive { artifacts, handlers, tools };
    orchestrator.set_archive(Arc::new(archive));
}

/// Stores the artifact for new conversations.
pub(crate) fn keep(artifacts: &Artifacts, text: &str) -> Result<(), Failure> {
    let artifact = Artifact::read(text).map_err(|error| Failure::Usage(error.to_string()))?;
    artifacts.keep(&artifact.content_hash, text).map_err(|error| Failure::Usage(error.to_string()))
}

/// Deletes the artifacts that no conversation needs, in the background. Keeps them while another
/// process has the store open, because it may start conversations with a registry that none is
/// pinned to yet.
pub(crate) async fn prune(artifacts: Artifacts, store: Arc<dyn Store>, current: String) {
    if !artifacts.has_others(&current) || store.is_shared() {
        return;
    }
    match store.pinned_registries().await {
        Ok(pinned) => {
            let needed: BTreeSet<String> = pinned.into_iter().chain([current]).collect();
            artifacts.prune(&needed);
        }
        Err(error) => output::talk(&format!("old registries are kept: {error}")),
    }
}
