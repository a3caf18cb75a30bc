//! The passes in order: discover, parse, check, lint, declare, hash.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use aileron_contract::artifact::{ArtifactSpec, ArtifactTool, Declaration, tool_hash};
use aileron_contract::{ContentHash, LeftOutTool, Provider, ToolId, canonical};
use rayon::prelude::*;
use serde_json::Value;

use crate::compilation::{Compilation, CompiledTool};
use crate::declare;
use crate::diagnostic::Diagnostic;
use crate::document::Document;
use crate::draft::Draft;
use crate::lint::providers::TargetUse;
use crate::options::Options;
use crate::reader::{self, limit};
use crate::rule::Severity;
use crate::source::Source;
use crate::tree::{Folder, SourceTree};
use crate::{docs, handler, lint, parameters};

/// A callback that receives the number of compiled tools and the number of all tools.
pub type Progress<'a> = &'a (dyn Fn(usize, usize) + Sync);

/// Compiles every tool of a tree.
pub fn compile(tree: &dyn SourceTree, options: &Options, progress: Progress<'_>) -> Compilation {
    let mut diagnostics = Vec::new();
    let directories = lint::files::discover(tree, &mut diagnostics);
    let done = AtomicUsize::new(0);
    let outcomes: Vec<_> = directories
        .par_iter()
        .map(|directory| {
            let outcome = compile_tool(tree, directory, options);
            progress(done.fetch_add(1, Ordering::Relaxed) + 1, directories.len());
            outcome
        })
        .collect();
    let mut toolset = std::mem::take(&mut diagnostics);
    let mut tools = Vec::with_capacity(outcomes.len());
    let mut failed = Vec::new();
    for (directory, (tool, mut found)) in directories.iter().zip(outcomes) {
        let shown = tree.display(directory);
        found.extend(toolset.extract_if(.., |finding| finding.source.path == shown));
        match error_codes(&found) {
            codes if codes.is_empty() => tools.extend(tool),
            codes => failed.push(LeftOutTool { directory: directory.clone(), codes }),
        }
        diagnostics.extend(found);
    }
    tools.sort_by(|a, b| a.id.cmp(&b.id));
    lint::check_toolset(tree, &tools, &mut toolset);
    let toolset_failed = !error_codes(&toolset).is_empty();
    diagnostics.extend(toolset);
    Diagnostic::sort(&mut diagnostics);
    diagnostics.dedup();
    Compilation { tools, diagnostics, failed, toolset_failed }
}

/// The codes of the errors among findings, each once.
fn error_codes(found: &[Diagnostic]) -> Vec<String> {
    let errors = found.iter().filter(|finding| finding.severity == Severity::Error);
    let codes: BTreeSet<_> = errors.map(|finding| finding.rule.code.to_owned()).collect();
    codes.into_iter().collect()
}

/// Compiles a folder on disk; one that cannot be opened is a finding too.
pub fn compile_folder(path: &Path, options: &Options, progress: Progress<'_>) -> Compilation {
    match Folder::open(path) {
        Ok(folder) => compile(&folder, options, progress),
        Err(error) => {
            let source = Source::new(path.to_string_lossy().replace('\\', "/"), "");
            Compilation {
                tools: Vec::new(),
                diagnostics: vec![lint::files::diagnose_root(&source, &error)],
                failed: Vec::new(),
                toolset_failed: true,
            }
        }
    }
}

/// Compiles one tool directory.
pub(crate) fn compile_tool(
    tree: &dyn SourceTree,
    directory: &str,
    options: &Options,
) -> (Option<CompiledTool>, Vec<Diagnostic>) {
    let mut found = Vec::new();
    let Some(draft) = parse(tree, directory, &mut found) else { return (None, found) };
    lint::check_tool(&draft, options, &mut found);
    let declarations = declare_for_all(&draft, options, &mut found);
    let failed = found.iter().any(|finding| finding.severity == Severity::Error);
    let tool = if failed { None } else { link(draft, declarations) };
    (tool, found)
}

fn parse(tree: &dyn SourceTree, directory: &str, found: &mut Vec<Diagnostic>) -> Option<Draft> {
    let files = lint::files::list(tree, directory, found)?;
    let folder = Source::new(tree.display(directory), "");
    let schema = files
        .contains("schema.json")
        .then(|| read_json(tree, directory, "schema.json", found))
        .flatten();
    let expected_id = ToolId::from_directory(directory).ok();
    let spec =
        schema.as_ref().and_then(|schema| lint::spec::check(schema, expected_id.as_ref(), found));
    let compiled =
        schema.as_ref().and_then(|schema| parameters::check(schema, "/parameters", found));
    if let Some(schema) = &schema {
        parameters::check(schema, "/returns", found);
    }
    let documentation = docs::read(tree, directory, &files, &folder, found);
    let handler = handler::compile(tree, directory, &files, schema.as_ref(), &folder, found);
    let cases = files
        .contains("cases.json")
        .then(|| read_json(tree, directory, "cases.json", found))
        .flatten();
    Some(Draft {
        folder,
        directory: directory.to_owned(),
        expected_id,
        schema,
        spec,
        parameters: compiled,
        documentation,
        cases,
        handler,
    })
}

fn read_json(
    tree: &dyn SourceTree,
    directory: &str,
    name: &str,
    found: &mut Vec<Diagnostic>,
) -> Option<Document> {
    let path = format!("{directory}/{name}");
    let source = reader::read(tree, &path, limit::TEXT, found).source()?;
    Document::parse(&source, found)
}

fn declare_for_all(
    draft: &Draft,
    options: &Options,
    found: &mut Vec<Diagnostic>,
) -> BTreeMap<Provider, Value> {
    let Some(schema) = &draft.schema else { return BTreeMap::new() };
    let mut declarations = BTreeMap::new();
    for target in Provider::ALL {
        let Some(declaration) = declare::declare(&schema.value, target, options.form) else {
            continue;
        };
        let used =
            if options.targets.contains(&target) { TargetUse::InUse } else { TargetUse::Unused };
        lint::providers::report(schema, target, used, &declaration, found);
        declarations.insert(target, declaration.value);
    }
    declarations
}

fn of_values(declarations: BTreeMap<Provider, Value>) -> BTreeMap<Provider, Declaration> {
    declarations.into_iter().map(|(provider, value)| (provider, value.into())).collect()
}

fn link(draft: Draft, provider_schemas: BTreeMap<Provider, Value>) -> Option<CompiledTool> {
    let spec = draft.spec?;
    let documentation = draft.documentation?;
    let id = spec.tool_id.clone();
    let tokens = lint::metadata::tokens(&provider_schemas);
    let tool = ArtifactTool {
        spec: ArtifactSpec(spec),
        hash: ContentHash::of_bytes(b""),
        provider_schemas: of_values(provider_schemas),
        summary: documentation.summary,
        documentation: documentation.text,
        handler: draft.handler?,
    };
    let mut value = serde_json::to_value(&tool).ok()?;
    let hash = tool_hash(&mut value);
    value["hash"] = Value::from(hash.as_str());
    Some(CompiledTool { id, hash, json: canonical::to_string(&value), tokens })
}
