//! A loaded tool: its code and its quarantine.

use aileron_capability::foreign::CapabilityShape;
use std::fmt;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use aileron_capability::handler::Quarantine;

use super::fault::LoadError;
use super::instance::Instance;
use super::program::Program;
use super::quarantine::Quarantines;
use super::sources::Sources;

/// A loaded tool. Clones are the same tool.
#[derive(Clone)]
pub struct Script(Arc<ScriptInner>);

struct ScriptInner {
    id: u64,
    tool: String,
    capabilities: Arc<[CapabilityShape]>,
    quarantines: Quarantines,
    body: CodeLocation,
}

/// The location of the tool's code.
pub(crate) enum CodeLocation {
    /// In this process.
    Local(LocalScript),
    /// In worker processes, which receive this message.
    Remote(Arc<[u8]>),
}

/// The code, and sandboxes that were prepared ahead.
pub(crate) struct LocalScript {
    sources: Arc<Sources>,
    /// Compiled with the first sandbox.
    program: Mutex<Option<Arc<Program>>>,
    prepared: Mutex<Vec<Instance>>,
    /// Sandboxes that are being prepared.
    pending: AtomicUsize,
}

impl Script {
    pub(crate) fn new(sources: &Sources, body: CodeLocation) -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Self(Arc::new(ScriptInner {
            id: NEXT.fetch_add(1, Ordering::Relaxed),
            tool: sources.tool.clone(),
            capabilities: sources.capabilities.as_slice().into(),
            quarantines: Quarantines::default(),
            body,
        }))
    }

    /// The tool's id, as it was loaded.
    pub fn tool(&self) -> &str {
        &self.0.tool
    }

    /// The tool's quarantine, if its calls block threads; some calls are refused meanwhile.
    pub fn quarantine(&self) -> Option<Quarantine> {
        self.0.quarantines.standing(Instant::now())
    }

    pub(crate) fn quarantines(&self) -> &Quarantines {
        &self.0.quarantines
    }

    /// The capabilities that the tool may use.
    pub(crate) fn capabilities(&self) -> &Arc<[CapabilityShape]> {
        &self.0.capabilities
    }

    pub(crate) fn id(&self) -> u64 {
        self.0.id
    }

    pub(crate) fn body(&self) -> &CodeLocation {
        &self.0.body
    }

    pub(crate) fn local(&self) -> Option<&LocalScript> {
        match &self.0.body {
            CodeLocation::Local(local) => Some(local),
            CodeLocation::Remote(_) => None,
        }
    }
}

impl fmt::Debug for Script {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Script").field("tool", &self.0.tool).finish_non_exhaustive()
    }
}

impl LocalScript {
    pub(crate) fn new(sources: Arc<Sources>) -> Self {
        Self {
            sources,
            program: Mutex::default(),
            prepared: Mutex::default(),
            pending: AtomicUsize::new(0),
        }
    }

    /// The modules, compiled once.
    pub(crate) fn program(&self) -> Result<Arc<Program>, LoadError> {
        let mut program = self.program.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(program) = &*program {
            return Ok(program.clone());
        }
        let compiled = Arc::new(Program::compile(&self.sources)?);
        Ok(program.insert(compiled).clone())
    }

    /// A prepared sandbox, if one is left.
    pub(crate) fn take(&self) -> Option<Instance> {
        self.prepared().pop()
    }

    pub(crate) fn put(&self, instance: Instance) {
        self.prepared().push(instance);
    }

    /// Claims the preparation of one more sandbox, unless enough are ready or being prepared.
    pub(crate) fn claim(&self, enough: usize) -> bool {
        let prepared = self.prepared().len();
        let claim = |pending| (prepared + pending < enough).then_some(pending + 1);
        self.pending.fetch_update(Ordering::AcqRel, Ordering::Acquire, claim).is_ok()
    }

    /// A claimed preparation has ended, with or without success.
    pub(crate) fn unclaim(&self) {
        self.pending.fetch_sub(1, Ordering::AcqRel);
    }

    fn prepared(&self) -> MutexGuard<'_, Vec<Instance>> {
        self.prepared.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
