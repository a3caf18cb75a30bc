//! `aileron kb ingest --watch`: ingests again whenever a file changes, until Ctrl-C.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;

use aileron_kb::{KnowledgeBase, Start};
use notify::RecommendedWatcher;

use super::report::Ingested;
use crate::args::{DataFormat, IngestArgs};
use crate::commands::findings::written;
use crate::file_watch::{self, REST};
use crate::interrupt::Interrupt;
use crate::output::{self, Failure, Outcome, Reader};

const LEFT: &str = "left in the middle of an ingest; nothing of it was taken in";

/// What the command waits for.
enum Happened {
    Changed,
    Ingested(Result<Ingested, Failure>),
    Interrupted,
}

/// Whether to go on.
#[derive(PartialEq, Eq)]
enum Next {
    Again,
    End,
}

/// Ingests, waits for a change, and so on. Ctrl-C ends it, also in the middle of an ingest,
/// which then never was.
pub(super) fn run(args: &IngestArgs, kb: KnowledgeBase, start: Start) -> Result<Outcome, Failure> {
    let mut watch = Watch::new(args, kb, start)?;
    loop {
        // Anew each time: a folder that was replaced has to be found again.
        let _watcher = watch.watcher()?;
        if watch.ingest()? == Next::End || watch.rest() == Next::End {
            return Ok(Outcome::Fine);
        }
    }
}

struct Watch {
    args: Arc<IngestArgs>,
    kb: Arc<KnowledgeBase>,
    roots: Vec<PathBuf>,
    start: Start,
    /// A change came while files were being read.
    changed: bool,
    /// Whether an ingest worked already: what fails from the beginning is not waited out.
    worked: bool,
    sender: Sender<Happened>,
    happened: Receiver<Happened>,
}

impl Watch {
    fn new(args: &IngestArgs, kb: KnowledgeBase, start: Start) -> Result<Self, Failure> {
        let interrupt = Interrupt::watch()?;
        let (sender, happened) = channel();
        let pressed = sender.clone();
        thread::spawn(move || {
            interrupt.wait();
            let _ = pressed.send(Happened::Interrupted);
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
        let tell = move || drop(sender.send(Happened::Changed));
        file_watch::start(&self.roots, concerns, tell)
    }

    /// One ingest, on a thread of its own, so that Ctrl-C need not wait for it.
    fn ingest(&mut self) -> Result<Next, Failure> {
        let (args, kb, start) = (self.args.clone(), self.kb.clone(), self.start);
        let sender = self.sender.clone();
        thread::spawn(move || {
            let _ = sender.send(Happened::Ingested(super::once(&args, &kb, start)));
        });
        self.changed = false;
        loop {
            match self.happened.recv() {
                Ok(Happened::Changed) => self.changed = true,
                Ok(Happened::Ingested(done)) => return self.tell(done),
                Ok(Happened::Interrupted) | Err(_) => {
                    output::talk(LEFT);
                    return Ok(Next::End);
                }
            }
        }
    }

    fn tell(&mut self, done: Result<Ingested, Failure>) -> Result<Next, Failure> {
        match done {
            Err(failure @ Failure::Usage(_)) if !self.worked => return Err(failure),
            Err(failure) => output::talk(&failure.to_string()),
            Ok(ingested) => {
                (self.start, self.worked) = (Start::Continue, true);
                output::talk(&ingested.text(&self.args));
                let line = ingested.json(&self.args).to_string();
                if self.args.format == DataFormat::Json && output::offer(&line)? == Reader::Left {
                    return Ok(Next::End);
                }
            }
        }
        output::talk(&self.invitation());
        Ok(Next::Again)
    }

    fn invitation(&self) -> String {
        let roots: Vec<_> =
            self.args.paths.iter().map(|path| format!("`{}`", written(path))).collect();
        let fate = if self.args.prune { "removed" } else { "kept" };
        format!("watching {}; records of deleted files are {fate}; Ctrl-C ends", roots.join(", "))
    }

    /// Waits for a change, and then until the files rest.
    fn rest(&self) -> Next {
        if !self.changed && !matches!(self.happened.recv(), Ok(Happened::Changed)) {
            return Next::End;
        }
        loop {
            match self.happened.recv_timeout(REST) {
                Ok(Happened::Changed) => {}
                Err(RecvTimeoutError::Timeout) => return Next::Again,
                Ok(_) | Err(RecvTimeoutError::Disconnected) => return Next::End,
            }
        }
    }
}

/// Whether a path is, or is below, a root, where nothing hidden is read.
fn is_read(root: &Path, path: &Path) -> bool {
    let Ok(below) = path.strip_prefix(root) else { return false };
    !below.iter().any(|name| name.to_string_lossy().starts_with('.'))
}
