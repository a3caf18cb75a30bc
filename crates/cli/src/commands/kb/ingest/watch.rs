//! `aileron kb ingest --watch`: ingests again whenever a file changes, until Ctrl-C.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;

use aileron_kb::{IndexStart, KnowledgeBase};
use notify::RecommendedWatcher;

use super::report::IngestSummary;
use crate::args::{DataFormat, IngestArgs};
use crate::commands::findings::written;
use crate::file_watch::{self, REST};
use crate::interrupt::Interrupt;
use crate::output::{self, ExitOutcome, Failure, StdoutReader};

const LEFT: &str = "left in the middle of an ingest; nothing of it was taken in";

/// The events that the command waits for.
enum WatchEvent {
    Changed,
    Ingested(Result<IngestSummary, Failure>),
    Interrupted,
}

/// Whether to go on.
#[derive(PartialEq, Eq)]
enum WatchFlow {
    Again,
    End,
}

/// Ingests, waits for a change, and so on. Ctrl-C ends it; an ingest in progress is then discarded.
pub(super) fn run(
    args: &IngestArgs,
    kb: KnowledgeBase,
    start: IndexStart,
) -> Result<ExitOutcome, Failure> {
    let mut watch = IngestWatch::new(args, kb, start)?;
    loop {
        // Created anew each time, because a replaced folder must be found again.
        let _watcher = watch.watcher()?;
        if watch.ingest()? == WatchFlow::End || watch.wait_for_quiet() == WatchFlow::End {
            return Ok(ExitOutcome::Fine);
        }
    }
}

struct IngestWatch {
    args: Arc<IngestArgs>,
    kb: Arc<KnowledgeBase>,
    roots: Vec<PathBuf>,
    start: IndexStart,
    /// Whether files changed during an ingest.
    changed: bool,
    /// Whether an ingest has succeeded; a failure of the first one ends the command.
    worked: bool,
    sender: Sender<WatchEvent>,
    happened: Receiver<WatchEvent>,
}

impl IngestWatch {
    fn new(args: &IngestArgs, kb: KnowledgeBase, start: IndexStart) -> Result<Self, Failure> {
        let interrupt = Interrupt::watch()?;
        let (sender, happened) = channel();
        let pressed = sender.clone();
        thread::spawn(move || {
            interrupt.wait();
            let _ = pressed.send(WatchEvent::Interrupted);
        });
        let roots = args.paths.iter().map(|path| file_watch::absolute(path));
        Ok(Self {
            args: Arc::new(args.clone()),
            kb: Arc::new(kb),
            roots: roots.collect::<Result<_, _>>()?,
            start,
            changed: false,
            worked: false,
            sender,
            happened,
        })
    }

    fn watcher(&self) -> Result<RecommendedWatcher, Failure> {
        let (roots, own) = (self.roots.clone(), file_watch::absolute(self.kb.folder())?);
        let concerns = move |path: &Path| {
            !path.starts_with(&own) && roots.iter().any(|root| is_read(root, path))
        };
        let sender = self.sender.clone();
        let tell = move || drop(sender.send(WatchEvent::Changed));
        file_watch::start(&self.roots, concerns, tell)
    }

    /// One ingest, on a separate thread, so that Ctrl-C need not wait for it.
    fn ingest(&mut self) -> Result<WatchFlow, Failure> {
        let (args, kb, start) = (self.args.clone(), self.kb.clone(), self.start);
        let sender = self.sender.clone();
        thread::spawn(move || {
            let _ = sender.send(WatchEvent::Ingested(super::once(&args, &kb, start)));
        });
        self.changed = false;
        loop {
            match self.happened.recv() {
                Ok(WatchEvent::Changed) => self.changed = true,
                Ok(WatchEvent::Ingested(done)) => return self.tell(done),
                Ok(WatchEvent::Interrupted) | Err(_) => {
                    output::talk(LEFT);
                    return Ok(WatchFlow::End);
                }
            }
        }
    }

    fn tell(&mut self, done: Result<IngestSummary, Failure>) -> Result<WatchFlow, Failure> {
        match done {
            Err(failure @ Failure::Usage(_)) if !self.worked => return Err(failure),
            Err(failure) => output::talk(&failure.to_string()),
            Ok(ingested) => {
                (self.start, self.worked) = (IndexStart::Continue, true);
                output::talk(&ingested.text(&self.args));
                let line = ingested.json(&self.args).to_string();
                if self.args.format == DataFormat::Json
                    && output::offer(&line)? == StdoutReader::Left
                {
                    return Ok(WatchFlow::End);
                }
            }
        }
        output::talk(&self.invitation());
        Ok(WatchFlow::Again)
    }

    fn invitation(&self) -> String {
        let roots: Vec<_> =
            self.args.paths.iter().map(|path| format!("`{}`", written(path))).collect();
        let fate = if self.args.prune { "removed" } else { "kept" };
        format!("watching {}; records of deleted files are {fate}; Ctrl-C ends", roots.join(", "))
    }

    /// Waits for a change, then until changes pause.
    fn wait_for_quiet(&self) -> WatchFlow {
        if !self.changed && !matches!(self.happened.recv(), Ok(WatchEvent::Changed)) {
            return WatchFlow::End;
        }
        loop {
            match self.happened.recv_timeout(REST) {
                Ok(WatchEvent::Changed) => {}
                Err(RecvTimeoutError::Timeout) => return WatchFlow::Again,
                Ok(_) | Err(RecvTimeoutError::Disconnected) => return WatchFlow::End,
            }
        }
    }
}

/// Whether a path is a root or a visible file below it.
fn is_read(root: &Path, path: &Path) -> bool {
    let Ok(below) = path.strip_prefix(root) else { return false };
    !below.iter().any(|name| name.to_string_lossy().starts_with('.'))
}
