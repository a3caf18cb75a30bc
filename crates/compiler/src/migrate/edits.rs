//! Compiles one tool again and again, each time with the changes that its findings propose.

use aileron_contract::ToolId;

use super::schema::{declare, set_runtime};
use crate::compile::compile_tool;
use crate::diagnostic::{Diagnostic, Edit};
use crate::lint::handler::native_not_built;
use crate::natives::{FindNative, native_hash};
use crate::options::Options;
use crate::rule::Severity;
use crate::source::Source;
use crate::tree::{Overlay, SourceTree};

/// A change may reveal the next finding: a renamed member is a capability that is not declared.
const ROUNDS: usize = 32;

/// Most bytes of a file that is changed.
const LARGEST: u64 = 1 << 20;

/// A tool with the changes that its findings propose.
pub(super) struct Attempt<'t> {
    pub(super) overlay: Overlay<'t>,
    /// The findings whose changes were made.
    pub(super) removed: Vec<Diagnostic>,
    /// The errors and warnings that are left.
    pub(super) left: Vec<Diagnostic>,
}

impl<'t> Attempt<'t> {
    /// Compiles a tool, with another runtime if one is given, until no finding proposes a change.
    pub(super) fn make(
        tree: &'t dyn SourceTree,
        directory: &str,
        runtime: Option<&str>,
        options: &Options,
        natives: FindNative<'_>,
    ) -> Self {
        let mut attempt =
            Self { overlay: Overlay::new(tree), removed: Vec::new(), left: Vec::new() };
        if let Some(runtime) = runtime {
            let before = compile(&attempt.overlay, directory, options, natives);
            attempt.removed = before.into_iter().filter(is_error).collect();
            attempt.change_schema(directory, |text| set_runtime(text, runtime));
        }
        for _ in 0..ROUNDS {
            attempt.left = compile(&attempt.overlay, directory, options, natives);
            let proposed = attempt.left.iter().position(|finding| finding.edit.is_some());
            let Some(finding) = proposed.map(|at| attempt.left.remove(at)) else { break };
            if !attempt.apply(directory, &finding) {
                attempt.left.push(Diagnostic { edit: None, ..finding });
                break;
            }
            attempt.removed.push(finding);
        }
        // A runtime removes the errors that it removes and no others.
        let left: Vec<_> =
            attempt.left.iter().map(|it| (it.rule.code, it.message.clone())).collect();
        attempt.removed.retain(|it| !left.contains(&(it.rule.code, it.message.clone())));
        attempt
    }

    pub(super) fn errors(&self) -> usize {
        self.left.iter().filter(|finding| is_error(finding)).count()
    }

    /// The runtime that might have what the tool lacks, if its schema names none.
    pub(super) fn other_runtime(
        &self,
        tree: &dyn SourceTree,
        directory: &str,
    ) -> Option<&'static str> {
        let text = self.read(&format!("{directory}/schema.json"))?;
        let schema: serde_json::Value = serde_json::from_str(&text).ok()?;
        if schema.get("runtime").is_some() {
            return None;
        }
        let has = |name: &str| {
            tree.entries(directory)
                .is_ok_and(|entries| entries.iter().flatten().any(|entry| entry.name == name))
        };
        if has("handler.py") {
            return Some("python");
        }
        ["handler.js", "handler.ts", "handler.mjs"].into_iter().any(has).then_some("node")
    }

    /// Makes the change that a finding proposes; returns whether it could be made.
    fn apply(&mut self, directory: &str, finding: &Diagnostic) -> bool {
        match finding.edit.as_deref() {
            Some(Edit::Declare(capability)) => {
                self.change_schema(directory, |text| declare(text, capability))
            }
            Some(Edit::Replace { span, text }) => {
                let shown = self.overlay.display(&format!("{directory}/"));
                let Some(name) = finding.source.path.strip_prefix(&shown) else { return false };
                let path = format!("{directory}/{name}");
                let Some(mut whole) = self.read(&path) else { return false };
                if whole.get(span.clone()).is_none() {
                    return false;
                }
                whole.replace_range(span.clone(), text);
                self.overlay.insert(path, whole);
                true
            }
            None => false,
        }
    }

    fn change_schema(&mut self, directory: &str, change: impl Fn(&str) -> Option<String>) -> bool {
        let path = format!("{directory}/schema.json");
        let changed = self.read(&path).and_then(|text| change(&text));
        changed.map(|text| self.overlay.insert(path, text)).is_some()
    }

    /// The text of a file as the compiler reads it: its places refer to `\n` line ends.
    fn read(&self, path: &str) -> Option<String> {
        let bytes = self.overlay.read(path, LARGEST).ok()?;
        Some(aileron_contract::artifact::source_text(&String::from_utf8(bytes).ok()?))
    }
}

fn is_error(finding: &Diagnostic) -> bool {
    finding.severity == Severity::Error
}

/// The errors and warnings of one tool.
fn compile(
    tree: &dyn SourceTree,
    directory: &str,
    options: &Options,
    natives: FindNative<'_>,
) -> Vec<Diagnostic> {
    let (tool, mut found) = compile_tool(tree, directory, options);
    let fault = tool.and_then(|tool| natives(&tool.id, &native_hash(&tool)?).err());
    if let (Some(fault), Ok(_)) = (fault, ToolId::from_directory(directory)) {
        let source = Source::new(tree.display(&format!("{directory}/handler.rs")), "");
        found.push(native_not_built::diagnose(&source, fault));
    }
    found.retain(|finding| finding.severity != Severity::Note);
    Diagnostic::sort(&mut found);
    found.dedup();
    found
}
