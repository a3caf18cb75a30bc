//! Builds without the tools that failed: tools that call them are left out too.

use std::collections::BTreeMap;

use aileron_contract::Handler;
use aileron_contract::artifact::WorkerCode;
use serde::Deserialize;

use crate::compilation::{Compilation, CompiledTool};
use crate::diagnostic::Diagnostic;
use crate::lint::handler::calls_left_out_tool;
use crate::source::{Source, Span};

/// The capability of a tool that calls others.
const TOOLS: &str = "tools";

/// The fields read from a tool's entry.
#[derive(Deserialize)]
struct CallerEntry {
    #[serde(default)]
    capabilities: Vec<String>,
    handler: Handler,
}

impl Compilation {
    /// Leaves out every tool that names a tool which failed, and every tool that names those. `label` is
    /// the name of the tools folder in messages. The code of native handlers is not in the registry, so
    /// their calls are not seen.
    pub fn leave_out_callers(&mut self, label: &str) {
        loop {
            let gone: Vec<String> =
                self.failed.iter().map(|failed| failed.directory.replace('-', "_")).collect();
            let callers = self.tools.iter().filter_map(|tool| {
                let finding = caller_of(tool, &gone, label)?;
                Some((tool.id.clone(), finding))
            });
            let callers: Vec<_> = callers.collect();
            if callers.is_empty() {
                return;
            }
            for (id, finding) in callers {
                self.fail(&id, finding);
            }
        }
    }
}

/// The finding about a tool that names one of these tools.
fn caller_of(tool: &CompiledTool, gone: &[String], label: &str) -> Option<Diagnostic> {
    // Most tools call no others, and are not parsed.
    if gone.is_empty() || !tool.json.contains("\"tools\"") {
        return None;
    }
    let entry: CallerEntry = serde_json::from_str(&tool.json).ok()?;
    if !entry.capabilities.iter().any(|name| name == TOOLS) {
        return None;
    }
    let modules = modules(&entry.handler)?;
    modules.iter().find_map(|(path, text)| {
        let (called, place) = gone.iter().find_map(|id| Some((id, named(text, id)?)))?;
        let shown = if label.is_empty() { path.clone() } else { format!("{label}/{path}") };
        let source = Source::new(shown, text.clone());
        Some(calls_left_out_tool::diagnose(&source, called, place))
    })
}

fn modules(handler: &Handler) -> Option<&BTreeMap<String, String>> {
    match handler {
        Handler::Javascript { modules, .. }
        | Handler::Node(WorkerCode { modules, .. })
        | Handler::Python(WorkerCode { modules, .. }) => Some(modules),
        Handler::Native { .. } => None,
    }
}

/// Where a text has this id in quotes.
fn named(text: &str, id: &str) -> Option<Span> {
    ['\'', '"', '`'].iter().find_map(|quote| {
        let at = text.find(&format!("{quote}{id}{quote}"))?;
        Some(at..at + id.len() + 2)
    })
}
