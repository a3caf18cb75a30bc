//! `--watch`: builds the tools again whenever a file of theirs changes. New conversations use the
//! result; existing ones keep their registry. A failed build is reported and changes nothing, or is
//! made without the tools that failed if the settings say so.

use std::collections::VecDeque;
use std::path::Path;
use std::sync::Arc;

use aileron_orchestrator::Orchestrator;
use aileron_server::{App, EventHub};
use aileron_store::Artifacts;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tokio::time::timeout;

use crate::archive;
use crate::file_watch::{self, REST};
use crate::installation::{self, MissingEngines};
use crate::output::{self, Failure, count};
use crate::settings::Settings;
use crate::toolset::{self, FailedTools, Purpose};

/// Number of versions kept in memory for resumed conversations.
const KEPT: usize = 8;

/// Watches until it is dropped.
pub(super) struct WatchGuard {
    _files: Box<dyn Send>,
    _work: tokio::task::JoinHandle<()>,
}

pub(super) fn start(
    app: &App,
    settings: Arc<Settings>,
    missing: MissingEngines,
    artifacts: Option<Artifacts>,
) -> Result<WatchGuard, Failure> {
    let tools = file_watch::absolute(&settings.server.tools)?;
    let (tell, changes) = unbounded_channel();
    let inside = tools.clone();
    let concerns = move |path: &Path| path.starts_with(&inside);
    let files = file_watch::start(&[tools], concerns, move || {
        let _ = tell.send(());
    })?;
    let orchestrator = app.orchestrator().clone();
    let event_hub = app.event_hub().clone();
    let ground = BuildInputs { orchestrator, event_hub, settings, missing, artifacts };
    let work = tokio::spawn(follow(Arc::new(ground), changes));
    Ok(WatchGuard { _files: Box::new(files), _work: work })
}

/// The inputs of a build.
struct BuildInputs {
    orchestrator: Orchestrator,
    event_hub: Arc<EventHub>,
    settings: Arc<Settings>,
    missing: MissingEngines,
    /// The folder of artifacts; none for a store in memory.
    artifacts: Option<Artifacts>,
}

async fn follow(ground: Arc<BuildInputs>, mut changes: UnboundedReceiver<()>) {
    let mut versions = VecDeque::new();
    while changes.recv().await.is_some() {
        while let Ok(Some(())) = timeout(REST, changes.recv()).await {}
        let building = ground.clone();
        let reloaded = tokio::task::spawn_blocking(move || reload(&building)).await;
        match reloaded {
            Ok(Ok(before)) => retire(&ground.orchestrator, before, &mut versions),
            Ok(Err(failure)) => {
                output::talk(&format!("{failure}; the tools stay as they were"));
            }
            Err(_) => output::talk("error: the build was aborted; the tools stay as they were"),
        }
    }
}

/// Builds the tools; returns the previous version if it was replaced.
fn reload(ground: &BuildInputs) -> Result<Option<String>, Failure> {
    let BuildInputs { orchestrator, event_hub, settings, missing, artifacts } = ground;
    let before = orchestrator.current().map(|registry| registry.version().to_owned());
    let folder = &settings.server.tools;
    let failed = FailedTools::of(false, settings);
    let options = settings.compile_options();
    let text = toolset::text_of_folder(folder, &options, Purpose::Run, failed)?;
    let source = folder.display().to_string();
    let registry = installation::registry(&text, &source, &settings.handlers, folder)?;
    if before.as_deref() == Some(registry.version()) {
        return Ok(None);
    }
    missing.check(&registry)?;
    artifacts.iter().try_for_each(|artifacts| archive::keep(artifacts, &text))?;
    let (version, tools) = (registry.version().to_owned(), registry.tools().len());
    let installed = orchestrator.install(registry);
    installed.map_err(|error| Failure::Failed(error.to_string()))?;
    event_hub.registry_loaded(&version);
    let tools = count(tools, "tool");
    output::talk(&format!("registry {version} with {tools} for new conversations"));
    Ok(before)
}

/// Unloads old versions. Open conversations keep theirs.
fn retire(orchestrator: &Orchestrator, before: Option<String>, versions: &mut VecDeque<String>) {
    versions.extend(before);
    while versions.len() > KEPT {
        if let Some(oldest) = versions.pop_front() {
            orchestrator.retire(&oldest);
        }
    }
}
