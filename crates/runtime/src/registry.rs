//! A toolset that is loaded and frozen: every schema compiled, every handler bound.

use std::collections::HashMap;
use std::fmt;
use std::num::NonZero;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::thread;

use aileron_capability::alike;
use aileron_contract::{Artifact, ArtifactError, ArtifactTool, ContentHash};

use crate::tool::{HandlerSelection, Handlers, LoadingTool, PreparedTool, Tool};

/// Minimum similarity of a name for being suggested.
const ALIKE: f64 = 0.6;

const PANICKED: &str = "its loading panicked; please report this";

/// A loaded toolset. It is immutable; another version is a separate registry.
#[derive(Debug)]
pub struct Registry {
    version: String,
    content_hash: ContentHash,
    tools: Vec<Arc<Tool>>,
    by_id: HashMap<String, usize>,
}

/// Why a registry cannot be run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LoadError {
    Artifact(ArtifactError),
    /// Every tool that has a fault.
    Tools(Vec<ToolFault>),
}

/// A tool that cannot be run, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolFault {
    pub tool: String,
    pub why: String,
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let faults = match self {
            Self::Artifact(error) => return error.fmt(f),
            Self::Tools(faults) => faults,
        };
        write!(f, "{} of the registry's tools cannot be run", faults.len())?;
        faults.iter().try_for_each(|fault| write!(f, "\n  {}: {}", fault.tool, fault.why))
    }
}

impl std::error::Error for LoadError {}

impl Registry {
    /// Reads an artifact, checks it, compiles its schemas and binds its handlers, or refuses all of it.
    pub fn load(text: &str, handlers: &Handlers) -> Result<Arc<Self>, LoadError> {
        Self::read(text, HandlerSelection::All(handlers))
    }

    /// The same for an older registry that conversations are still pinned to: a tool whose handler
    /// cannot be bound any more keeps its rules, and its calls are answered with the reason.
    pub fn load_past(text: &str, handlers: &Handlers) -> Result<Arc<Self>, LoadError> {
        Self::read(text, HandlerSelection::IfThere(handlers))
    }

    /// The same without handlers: calls can be admitted but not executed. This also works for a
    /// registry whose handlers this binary does not have.
    pub fn load_rules(text: &str) -> Result<Arc<Self>, LoadError> {
        Self::read(text, HandlerSelection::Rules)
    }

    fn read(text: &str, handlers: HandlerSelection<'_>) -> Result<Arc<Self>, LoadError> {
        let artifact = read_artifact(text).map_err(LoadError::Artifact)?;
        let (version, content_hash) = (artifact.version, artifact.content_hash);
        let opened = artifact.tools.into_iter().map(|tool| open(tool, handlers)).collect();
        let ruled =
            on_all_cores(opened, |opened: LoadStep<LoadingTool>| opened.next(LoadingTool::rule));
        let loaded = on_all_cores(ruled, |ruled: LoadStep<PreparedTool>| {
            ruled.next(PreparedTool::bind).outcome
        });
        let tools = sorted_out(loaded).map_err(LoadError::Tools)?;
        let by_id = |(at, tool): (usize, &Arc<Tool>)| (tool.spec().tool_id.to_string(), at);
        let by_id = tools.iter().enumerate().map(by_id).collect();
        Ok(Arc::new(Self { version, content_hash, tools, by_id }))
    }

    /// `1.0.` and the first digits of the content hash.
    pub fn version(&self) -> &str {
        &self.version
    }

    /// The hash of the whole toolset.
    pub fn content_hash(&self) -> &ContentHash {
        &self.content_hash
    }

    /// The tools, sorted by id.
    pub fn tools(&self) -> &[Arc<Tool>] {
        &self.tools
    }

    /// The place of a tool in [`Self::tools`].
    pub fn position(&self, id: &str) -> Option<usize> {
        self.by_id.get(id).copied()
    }

    /// The tool of that id.
    pub fn tool(&self, id: &str) -> Option<&Arc<Tool>> {
        self.tools.get(self.position(id)?)
    }

    /// The known names most similar to an unknown one, best first.
    pub fn closest(&self, name: &str) -> Vec<&str> {
        let ids = self.tools.iter().map(|tool| tool.spec().tool_id.as_str());
        alike::closest(name, ids, ALIKE)
    }
}

fn read_artifact(text: &str) -> Result<Artifact, ArtifactError> {
    Artifact::read_with(text, |tools| on_all_cores(tools, ArtifactTool::read).into_iter().collect())
}

/// Maps items on all cores and keeps the order.
fn on_all_cores<T: Send, R: Send>(items: Vec<T>, work: impl Fn(T) -> R + Sync) -> Vec<R> {
    let cores = thread::available_parallelism().map_or(1, NonZero::get);
    let share = items.len().div_ceil(cores).max(1);
    let mut rest = items.into_iter();
    let shares: Vec<Vec<T>> = (0..cores).map(|_| rest.by_ref().take(share).collect()).collect();
    let work = &work;
    thread::scope(|scope| {
        let start =
            |share: Vec<T>| scope.spawn(move || share.into_iter().map(work).collect::<Vec<R>>());
        let running: Vec<_> = shares.into_iter().map(start).collect();
        let done = running
            .into_iter()
            .map(|share| share.join().unwrap_or_else(|panic| resume_unwind(panic)));
        done.flatten().collect()
    })
}

/// A tool in the process of loading, or its fault.
struct LoadStep<T> {
    tool: String,
    outcome: Result<T, ToolFault>,
}

impl<T> LoadStep<T> {
    /// A panic while a tool is loaded is reported as a fault of that tool.
    fn next<U>(self, work: impl FnOnce(T) -> Result<U, String>) -> LoadStep<U> {
        let Self { tool, outcome } = self;
        let outcome = outcome.and_then(|at| {
            let done = catch_unwind(AssertUnwindSafe(|| work(at)));
            let done = done.unwrap_or_else(|_| Err(PANICKED.to_owned()));
            done.map_err(|why| ToolFault { tool: tool.clone(), why })
        });
        LoadStep { tool, outcome }
    }
}

/// All tools begin to load before the first is awaited, so that code and schemas load in parallel.
fn open(artifact: ArtifactTool, handlers: HandlerSelection<'_>) -> LoadStep<LoadingTool> {
    let at = LoadStep { tool: artifact.id().to_owned(), outcome: Ok(artifact) };
    at.next(|artifact| LoadingTool::new(artifact, handlers))
}

fn sorted_out(loaded: Vec<Result<Tool, ToolFault>>) -> Result<Vec<Arc<Tool>>, Vec<ToolFault>> {
    let (tools, faults): (Vec<_>, Vec<_>) = loaded.into_iter().partition(Result::is_ok);
    if faults.is_empty() {
        return Ok(tools.into_iter().filter_map(Result::ok).map(Arc::new).collect());
    }
    Err(faults.into_iter().filter_map(Result::err).collect())
}
