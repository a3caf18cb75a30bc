//! `--watch`: builds the tools again whenever a file of theirs changes. New conversations use the
//! result; existing ones keep their registry. A failed build is reported and changes nothing, or is
//! made without the tools that failed if the settings say so.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use aileron_orchestrator::assignment::DEFAULT;
use aileron_runtime::Registry;
use aileron_server::{App, LoadedOffer};
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tokio::time::timeout;

use super::offer::OfferLoader;
use crate::file_watch::{self, REST};
use crate::output::{self, Failure, count};

/// Watches until it is dropped.
pub(super) struct WatchGuard {
    _files: Box<dyn Send>,
    _work: tokio::task::JoinHandle<()>,
}

pub(super) fn start(app: &App, loader: Arc<OfferLoader>) -> Result<WatchGuard, Failure> {
    let folders = loader.tool_folders();
    let folders =
        folders.iter().map(|it| file_watch::absolute(it)).collect::<Result<Vec<_>, _>>()?;
    let (tell, changes) = unbounded_channel();
    let inside = folders.clone();
    let concerns = move |path: &Path| inside.iter().any(|folder| path.starts_with(folder));
    let files = file_watch::start(&folders, concerns, move || {
        let _ = tell.send(());
    })?;
    let work = tokio::spawn(follow(app.clone(), loader, changes));
    Ok(WatchGuard { _files: Box::new(files), _work: work })
}

async fn follow(app: App, loader: Arc<OfferLoader>, mut changes: UnboundedReceiver<()>) {
    while changes.recv().await.is_some() {
        while let Ok(Some(())) = timeout(REST, changes.recv()).await {}
        let (building, built_for) = (loader.clone(), app.clone());
        let reloaded = tokio::task::spawn_blocking(move || reload(&built_for, &building)).await;
        match reloaded {
            Ok(Ok(())) => {}
            Ok(Err(faults)) => {
                let faults = faults.join("\n");
                output::talk(&format!("error: {faults}; the tools stay as they were"));
            }
            Err(_) => output::talk("error: the build was aborted; the tools stay as they were"),
        }
    }
}

/// Builds the tools and offers them.
fn reload(app: &App, loader: &OfferLoader) -> Result<(), Vec<String>> {
    let before = app.orchestrator().offered().registries;
    let LoadedOffer { offer, .. } = loader.load_current()?;
    let is_same = |(name, registry): (&String, &Arc<Registry>)| {
        before.get(name).is_some_and(|before| before.version() == registry.version())
    };
    let changed: BTreeMap<_, _> =
        offer.registries.clone().into_iter().filter(|(name, it)| !is_same((name, it))).collect();
    if changed.is_empty() {
        return Ok(());
    }
    app.orchestrator().offer(offer)?;
    for (name, registry) in changed {
        let (version, tools) = (registry.version(), count(registry.tools().len(), "tool"));
        app.event_hub().registry_loaded(version);
        let named = if name == DEFAULT { String::new() } else { format!("`{name}` ") };
        output::talk(&format!("registry {named}{version} with {tools} for new conversations"));
    }
    Ok(())
}
