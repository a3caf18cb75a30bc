//! `aileron diff` and `--against`: which promises a newer toolset breaks.

use std::fs;
use std::path::Path;

use aileron_compiler::breaking::{self, Break, Comparison};
use aileron_compiler::document::Document;
use aileron_compiler::{Compilation, Diagnostic, Options, Source, emit};
use aileron_contract::ToolId;
use serde_json::{Value, json};

use crate::args::{DataFormat, DiffArgs};
use crate::commands::findings::{pretty, written};
use crate::output::{self, ExitOutcome, Failure, count};
use crate::settings::Settings;
use crate::toolset;

pub(crate) fn run(args: &DiffArgs, config: Option<&Path>) -> Result<ExitOutcome, Failure> {
    let options = Settings::load(config)?.compile_options();
    let old = toolset::find(&args.old, &args.tools, &options)?;
    let new = toolset::find(&args.new, &args.tools, &options)?;
    let comparison = breaking::compare(&old, &new);
    let violations = comparison.violations_except(&words(&args.allow)).count();
    match args.format {
        DataFormat::Text => print(&comparison, violations)?,
        DataFormat::Json => {
            output::data(&pretty(&as_json(&old.version, &new.version, &comparison)))?;
        }
    }
    Ok(if violations == 0 { ExitOutcome::Fine } else { ExitOutcome::Findings })
}

/// The broken promises of a compilation against a previous toolset, as findings.
pub(crate) fn violations(
    previous: &str,
    compilation: &Compilation,
    tools: &Path,
    options: &Options,
    allow: &[String],
) -> Result<Vec<Diagnostic>, Failure> {
    let old = toolset::find(previous, tools, options)?;
    let new =
        emit::artifact(&compilation.tools).map_err(|error| Failure::Failed(error.to_string()))?;
    let comparison = breaking::compare(&old, &new);
    // A tool that is left out has findings of its own.
    let is_left_out = |tool: &str| {
        let directory = tool.replace('_', "-");
        compilation.failed.iter().any(|failed| failed.directory == directory)
    };
    Ok(comparison
        .violations_except(&words(allow))
        .filter(|violation| !is_left_out(violation.tool.as_str()))
        .map(|violation| place(violation, tools))
        .collect())
}

/// Places a violation in the tool's `schema.json`, or at the tools folder if that file is missing.
fn place(violation: &Break, tools: &Path) -> Diagnostic {
    let directory =
        ToolId::new(violation.tool.as_str()).map(|id| id.directory()).unwrap_or_default();
    let path = tools.join(directory).join("schema.json");
    let document = fs::read_to_string(&path).ok().and_then(|text| {
        let text = text.trim_start_matches('\u{feff}').replace("\r\n", "\n");
        Document::parse(&Source::new(written(&path), text), &mut Vec::new())
    });
    breaking::diagnose(violation, document.as_ref(), &written(tools))
}

fn words(allow: &[String]) -> Vec<&str> {
    allow.iter().map(String::as_str).collect()
}

fn print(comparison: &Comparison, violations: usize) -> Result<(), Failure> {
    for added in &comparison.added {
        output::data(&format!("{:<9} {} {}", "added", added.tool, added.version))?;
    }
    comparison.changes.iter().try_for_each(|change| output::data(&line(change)))?;
    let changes = count(comparison.changes.len(), "change");
    output::talk(&format!("{changes}, {violations} without the version step that is needed"));
    Ok(())
}

fn line(change: &Break) -> String {
    let verdict = if change.is_violation() { "breaks" } else { "allowed" };
    let current = change.current.as_ref().map_or_else(|| "deleted".to_owned(), ToString::to_string);
    let versions = format!("{} -> {current}, needs {}", change.previous, change.needed());
    format!(
        "{verdict:<9} {} {}{}: {} ({versions})",
        change.rule.code, change.tool, change.pointer, change.message
    )
}

fn as_json(old: &str, new: &str, comparison: &Comparison) -> Value {
    let change = |change: &Break| {
        json!({
            "rule": change.rule.code, "tool": change.tool, "pointer": change.pointer, "message": change.message,
            "needs": change.needs.as_str(), "neededVersion": change.needed().release(),
            "previous": change.previous, "current": change.current, "violation": change.is_violation(),
        })
    };
    let added = comparison
        .added
        .iter()
        .map(|added| json!({ "tool": added.tool, "version": added.version }));
    json!({
        "previousVersion": old, "currentVersion": new,
        "added": added.collect::<Vec<_>>(),
        "changes": comparison.changes.iter().map(change).collect::<Vec<_>>(),
    })
}
