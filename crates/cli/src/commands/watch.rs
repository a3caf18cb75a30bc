//! `aileron build --watch`: builds again whenever a file of the tools changes.

use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use notify::{Event, EventKind, RecursiveMode, Watcher};

use crate::args::BuildArgs;
use crate::commands::{build, findings};
use crate::output::{self, Failure, Outcome};

/// How long the files must rest before a build; editors write in several steps.
const REST: Duration = Duration::from_millis(80);

pub(crate) fn run(args: &BuildArgs) -> Result<Outcome, Failure> {
    let (sender, changes) = channel();
    let mut watcher = notify::recommended_watcher(move |event| {
        if is_change(&event) {
            let _ = sender.send(());
        }
    })
    .map_err(|error| Failure::Failed(format!("files cannot be watched: {error}")))?;
    let folder = &args.compile.tools;
    watcher.watch(folder, RecursiveMode::Recursive).map_err(|error| {
        Failure::Usage(format!("`{}` cannot be watched: {error}", findings::shown(folder)))
    })?;
    loop {
        build::once(args)?;
        output::talk(&format!("watching `{}`; Ctrl-C ends", findings::shown(folder)));
        if !wait(&changes) {
            return Ok(Outcome::Fine);
        }
    }
}

/// A change of content; reading a file is none.
fn is_change(event: &notify::Result<Event>) -> bool {
    event.as_ref().is_ok_and(|event| !matches!(event.kind, EventKind::Access(_)))
}

/// Waits for a change and then for rest. False when the watcher is gone.
fn wait(changes: &Receiver<()>) -> bool {
    if changes.recv().is_err() {
        return false;
    }
    while changes.recv_timeout(REST).is_ok() {}
    true
}
