//! For tests: compiles a handler from files in memory.

use aileron_contract::Handler;
use aileron_contract::artifact::WorkerCode;

use crate::diagnostic::Diagnostic;
use crate::document::Document;
use crate::rule::Severity;
use crate::source::Source;
use crate::tree::{Memory, SourceTree};

/// The result of a compilation.
pub(crate) struct CompileOutcome {
    pub(crate) handler: Option<Handler>,
    pub(crate) found: Vec<Diagnostic>,
}

impl CompileOutcome {
    /// The findings in order, one line each: code, file, place, message and help.
    pub(crate) fn lines(&self) -> Vec<String> {
        self.found.iter().map(line).collect()
    }

    /// The findings in order by code and place: `H005 t/handler.js:1:8`.
    pub(crate) fn codes(&self) -> Vec<String> {
        self.found.iter().map(short).collect()
    }

    /// The carried modules.
    pub(crate) fn modules(&self) -> Vec<(&str, &str)> {
        match &self.handler {
            Some(
                Handler::Javascript { modules, .. }
                | Handler::Node(WorkerCode { modules, .. })
                | Handler::Python(WorkerCode { modules, .. }),
            ) => modules.iter().map(|(path, code)| (path.as_str(), code.as_str())).collect(),
            _ => Vec::new(),
        }
    }

    /// The packages of a handler that runs in a worker: manifest and lock file.
    pub(crate) fn packages(&self) -> Option<(&str, &str)> {
        match &self.handler {
            Some(Handler::Node(code) | Handler::Python(code)) => {
                let packages = code.packages.as_ref()?;
                Some((&packages.manifest, &packages.lock))
            }
            _ => None,
        }
    }

    /// The findings that are no notes.
    pub(crate) fn faults(&self) -> Vec<String> {
        let faults = self.found.iter().filter(|finding| finding.severity != Severity::Note);
        faults.map(line).collect()
    }
}

fn short(finding: &Diagnostic) -> String {
    let code = finding.rule.code.trim_start_matches("AIL-");
    let place = finding.position();
    let file = &finding.source.path;
    match finding.span {
        Some(_) => format!("{code} {file}:{}:{}", place.line, place.column),
        None => format!("{code} {file}"),
    }
}

fn line(finding: &Diagnostic) -> String {
    let help = finding.help.as_deref().unwrap_or("-");
    format!("{}: {} | {help}", short(finding), finding.message)
}

/// Compiles the handler of the tool `t` among files in memory.
pub(crate) fn compile(files: &[(&str, &str)]) -> CompileOutcome {
    let mut tree = Memory::new("");
    for (path, text) in files {
        tree.insert(*path, *text);
    }
    compile_in(&tree)
}

pub(crate) fn compile_in(tree: &Memory) -> CompileOutcome {
    let mut found = Vec::new();
    let entries = tree.entries("t").unwrap();
    let files = entries.into_iter().flatten().map(|entry| entry.name).collect();
    let schema = tree.read("t/schema.json", u64::MAX).ok().and_then(|bytes| {
        let text = String::from_utf8(bytes).unwrap();
        Document::parse(&Source::new("t/schema.json", text), &mut found)
    });
    let folder = Source::new("t", "");
    let handler = super::compile(tree, "t", &files, schema.as_ref(), &folder, &mut found);
    Diagnostic::sort(&mut found);
    CompileOutcome { handler, found }
}

/// Compiles the handler of the tool `t` with a runtime, among files in memory.
pub(crate) fn compile_with(runtime: &str, files: &[(&str, &str)]) -> CompileOutcome {
    let schema = format!("{{ \"runtime\": \"{runtime}\" }}");
    let mut all = vec![("t/schema.json", schema.as_str())];
    all.extend_from_slice(files);
    compile(&all)
}

/// Compiles `t/handler.js` alone.
pub(crate) fn javascript(text: &str) -> CompileOutcome {
    compile(&[("t/handler.js", text)])
}

/// Compiles `t/handler.ts` alone.
pub(crate) fn typescript(text: &str) -> CompileOutcome {
    compile(&[("t/handler.ts", text)])
}
