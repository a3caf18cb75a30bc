//! Watches files and folders for changes; the caller reacts to them.

use std::path::{Path, PathBuf};
use std::time::Duration;

use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher};

use crate::commands::findings::written;
use crate::output::Failure;

/// Time without changes before files are read, because editors write in several steps.
pub(crate) const REST: Duration = Duration::from_millis(80);

/// The absolute path, as in events.
pub(crate) fn absolute(path: &Path) -> Result<PathBuf, Failure> {
    std::path::absolute(path)
        .map_err(|error| Failure::Usage(format!("`{}`: {error}", written(path))))
}

/// Calls `tell` when the content of a path that `concerns` accepts changes, until the watcher is
/// dropped. The folders around the roots are watched too: a root may be replaced as a whole.
pub(crate) fn start(
    roots: &[PathBuf],
    concerns: impl Fn(&Path) -> bool + Send + 'static,
    tell: impl Fn() + Send + 'static,
) -> Result<RecommendedWatcher, Failure> {
    let changed = move |event: notify::Result<Event>| {
        if event.is_ok_and(|event| is_change(&event) && event.paths.iter().any(|it| concerns(it))) {
            tell();
        }
    };
    let mut watcher = notify::recommended_watcher(changed)
        .map_err(|error| Failure::Failed(format!("files cannot be watched: {error}")))?;
    for root in roots {
        let around = root.parent().unwrap_or(root);
        watch(&mut watcher, around, RecursiveMode::NonRecursive)?;
        if root.is_dir() {
            watch(&mut watcher, root, RecursiveMode::Recursive)?;
        }
    }
    Ok(watcher)
}

/// Reading is not a change.
fn is_change(event: &Event) -> bool {
    !matches!(event.kind, EventKind::Access(_))
}

fn watch(
    watcher: &mut RecommendedWatcher,
    path: &Path,
    mode: RecursiveMode,
) -> Result<(), Failure> {
    watcher
        .watch(path, mode)
        .map_err(|error| Failure::Usage(format!("`{}` cannot be watched: {error}", written(path))))
}
