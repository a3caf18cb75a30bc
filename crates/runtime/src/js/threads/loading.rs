//! A load on its way: the modules to compile and try, and who waits for the outcome.

use std::collections::BTreeMap;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::js::fault::{Fault, LoadError};
use crate::js::gate::Gate;
use crate::js::instance::Instance;
use crate::js::limits::Limits;
use crate::js::program::Program;
use crate::js::script::{Body, Local, Script};

/// How long the top level of a tool's modules may take.
const LONGEST_LOAD: Duration = Duration::from_secs(10);

pub(super) struct Loading {
    tool: String,
    entry: String,
    modules: BTreeMap<String, String>,
    limits: Limits,
    pub(super) gate: Arc<Gate>,
    waiting: Mutex<Option<SyncSender<Result<Script, LoadError>>>>,
}

impl Loading {
    /// The load, and where its outcome will arrive.
    pub(super) fn new(
        tool: &str,
        entry: &str,
        modules: &BTreeMap<String, String>,
        limits: &Limits,
    ) -> (Self, Receiver<Result<Script, LoadError>>) {
        let (waiting, outcome) = sync_channel(1);
        let loading = Self {
            tool: tool.into(),
            entry: entry.into(),
            modules: modules.clone(),
            limits: limits.clone(),
            gate: Arc::new(prepare_gate(limits)),
            waiting: Mutex::new(Some(waiting)),
        };
        (loading, outcome)
    }

    /// Compiles the modules and prepares a first sandbox, which is kept.
    pub(super) fn run(&self) -> Result<Script, LoadError> {
        let program = Program::compile(&self.tool, &self.entry, &self.modules)?;
        let local = Local::new(program);
        local.put(Instance::build(&local.program, &self.limits, &self.gate)?);
        Ok(Script::new(&self.tool, Body::Local(local)))
    }

    pub(super) fn finish(&self, outcome: Result<Script, LoadError>) {
        let waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(waiting) = waiting {
            let _ = waiting.send(outcome);
        }
    }

    pub(super) fn fail(&self, fault: Fault) {
        self.finish(Err(LoadError::TopLevel { tool: self.tool.clone(), fault }));
    }
}

/// The limits in time of preparing a sandbox.
pub(super) fn prepare_gate(limits: &Limits) -> Gate {
    Gate::new(Instant::now() + LONGEST_LOAD, limits.cpu)
}
