//! `aileron build --watch`: builds again whenever a file of the tools changes.

use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, channel};

use crate::args::BuildArgs;
use crate::commands::{build, findings};
use crate::file_watch::{self, REST};
use crate::output::{self, ExitOutcome, Failure};

pub(crate) fn run(args: &BuildArgs, config: Option<&Path>) -> Result<ExitOutcome, Failure> {
    let watched = WatchSet::of(args)?;
    loop {
        let (sender, changes) = channel();
        let roots = [watched.tools.clone()];
        let concerned = watched.clone();
        let concerns = move |path: &Path| concerned.concerns(path);
        let _watcher = file_watch::start(&roots, concerns, move || {
            let _ = sender.send(());
        })?;
        build::once(args, config)?;
        output::talk(&format!(
            "watching `{}`; Ctrl-C ends",
            findings::written(&args.compile.tools)
        ));
        if !wait(&changes) {
            return Ok(ExitOutcome::Fine);
        }
    }
}

/// The watched folder, and the ignored output file in it.
#[derive(Clone)]
struct WatchSet {
    tools: PathBuf,
    artifact: PathBuf,
}

impl WatchSet {
    fn of(args: &BuildArgs) -> Result<Self, Failure> {
        let tools = file_watch::absolute(&args.compile.tools)?;
        Ok(Self { tools, artifact: file_watch::absolute(&args.out)? })
    }

    /// Whether a path is in the tools and is not the written artifact.
    fn concerns(&self, path: &Path) -> bool {
        path.starts_with(&self.tools) && !self.is_output(path)
    }

    /// The artifact, or the hidden file that becomes it.
    fn is_output(&self, path: &Path) -> bool {
        let hidden = |name: &std::ffi::OsStr| name.to_string_lossy().starts_with(".tool_registry.");
        path == self.artifact
            || (path.parent() == self.artifact.parent() && path.file_name().is_some_and(hidden))
    }
}

/// Waits for a change, then until changes pause. False if the watcher is gone.
fn wait(changes: &Receiver<()>) -> bool {
    if changes.recv().is_err() {
        return false;
    }
    while changes.recv_timeout(REST).is_ok() {}
    true
}
