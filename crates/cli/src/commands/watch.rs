//! `aileron build --watch`: builds again whenever a file of the tools changes.

use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher};

use crate::args::BuildArgs;
use crate::commands::{build, findings};
use crate::output::{self, Failure, Outcome};

/// How long the files must rest before a build; editors write in several steps.
const REST: Duration = Duration::from_millis(80);

pub(crate) fn run(args: &BuildArgs) -> Result<Outcome, Failure> {
    let watched = Watched::of(args)?;
    loop {
        let (sender, changes) = channel();
        let _watcher = watched.start(sender)?;
        build::once(args)?;
        output::talk(&format!(
            "watching `{}`; Ctrl-C ends",
            findings::written(&args.compile.tools)
        ));
        if !wait(&changes) {
            return Ok(Outcome::Fine);
        }
    }
}

/// What is watched, and what is not looked at although it is in there.
#[derive(Clone)]
struct Watched {
    tools: PathBuf,
    artifact: PathBuf,
}

impl Watched {
    fn of(args: &BuildArgs) -> Result<Self, Failure> {
        let absolute = |path: &Path| {
            std::path::absolute(path)
                .map_err(|error| Failure::Usage(format!("`{}`: {error}", findings::written(path))))
        };
        Ok(Self { tools: absolute(&args.compile.tools)?, artifact: absolute(&args.out)? })
    }

    /// Watches the tools, and the folder around them: the tools may be replaced as a whole.
    fn start(&self, sender: Sender<()>) -> Result<RecommendedWatcher, Failure> {
        let this = self.clone();
        let mut watcher = notify::recommended_watcher(move |event: notify::Result<Event>| {
            if event.is_ok_and(|event| this.concerns(&event)) {
                let _ = sender.send(());
            }
        })
        .map_err(|error| Failure::Failed(format!("files cannot be watched: {error}")))?;
        let around = self.tools.parent().unwrap_or(&self.tools);
        watcher.watch(around, RecursiveMode::NonRecursive).map_err(|error| {
            Failure::Usage(format!("`{}` cannot be watched: {error}", around.display()))
        })?;
        if self.tools.is_dir() {
            watcher.watch(&self.tools, RecursiveMode::Recursive).map_err(|error| {
                Failure::Usage(format!("`{}` cannot be watched: {error}", self.tools.display()))
            })?;
        }
        Ok(watcher)
    }

    /// A change of content in the tools. Reading is none, and neither is our own artifact.
    fn concerns(&self, event: &Event) -> bool {
        let ours = |path: &&PathBuf| path.starts_with(&self.tools) && !self.is_output(path);
        !matches!(event.kind, EventKind::Access(_)) && event.paths.iter().any(|path| ours(&path))
    }

    /// The artifact, or the hidden file that becomes it.
    fn is_output(&self, path: &Path) -> bool {
        let hidden = |name: &std::ffi::OsStr| name.to_string_lossy().starts_with(".tool_registry.");
        path == self.artifact
            || (path.parent() == self.artifact.parent() && path.file_name().is_some_and(hidden))
    }
}

/// Waits for a change and then for rest. False when the watcher is gone.
fn wait(changes: &Receiver<()>) -> bool {
    if changes.recv().is_err() {
        return false;
    }
    while changes.recv_timeout(REST).is_ok() {}
    true
}
