//! The plan as text and as JSON.

use std::path::Path;

use aileron_compiler::migrate::{LineChange, MigrationPlan, ToolPlan, Verdict, is_blocking};
use aileron_compiler::render::{self, Style};
use aileron_compiler::{Diagnostic, Severity};
use serde_json::{Value, json};

use super::write;
use crate::args::MigrateArgs;
use crate::commands::findings::written;
use crate::output::count;

/// The plan, a text for each part.
pub(super) fn text(tools: &Path, plan: &MigrationPlan, args: &MigrateArgs) -> Vec<String> {
    let mut texts = vec![format!("{}: {}\n", written(tools), count(plan.tools.len(), "tool"))];
    let width = plan.tools.iter().map(|tool| tool.directory.len()).max().unwrap_or(0);
    texts.extend(plan.toolset.iter().map(finding));
    for tool in &plan.tools {
        let name = format!("{:width$}", tool.directory);
        texts.push([vec![format!("{name}  {}", said(tool))], details(tool)].concat().join("\n"));
    }
    texts.push(format!("\n{}", summary(plan)));
    texts.extend(next_step(plan, args));
    texts
}

/// The verdict in words.
fn said(tool: &ToolPlan) -> String {
    let lines = count(tool.changes.len(), "line");
    match tool.verdict {
        Verdict::AsItIs => "compiles as it is".to_owned(),
        Verdict::Lines => format!("compiles with {lines} changed"),
        Verdict::Runtime(name) => {
            format!(
                "compiles with {lines} changed, and runs as trusted code: \"runtime\": \"{name}\""
            )
        }
        Verdict::Decision => "needs a decision".to_owned(),
    }
}

fn details(tool: &ToolPlan) -> Vec<String> {
    let mut lines = Vec::new();
    for change in &tool.changes {
        lines.push(format!("    {}:{}", change.file, change.line));
        lines.extend(change.before.iter().map(|text| format!("      - {}", text.trim_start())));
        lines.extend(change.after.iter().map(|text| format!("      + {}", text.trim_start())));
    }
    let reasons = tool.reasons.iter().filter(|it| !told_by_lines(it));
    lines.extend(once(reasons.map(|it| format!("    because {}: {}", it.rule.code, it.message))));
    let (errors, others): (Vec<_>, Vec<_>) =
        tool.remaining.iter().partition(|finding| is_blocking(finding));
    lines.extend(errors.into_iter().flat_map(remaining));
    if !others.is_empty() {
        lines.push(format!("    {} (`aileron check` shows them)", count(others.len(), "warning")));
    }
    lines
}

/// A finding about a declaration is evident from the line that declares it.
fn told_by_lines(finding: &Diagnostic) -> bool {
    ["AIL-H010", "AIL-H020"].contains(&finding.rule.code)
}

/// The lines without repetitions, in order.
fn once(lines: impl Iterator<Item = String>) -> Vec<String> {
    let mut seen: Vec<String> = Vec::new();
    for line in lines {
        if !seen.contains(&line) {
            seen.push(line);
        }
    }
    seen
}

fn remaining(finding: &Diagnostic) -> Vec<String> {
    let (severity, code) = (finding.severity.as_str(), finding.rule.code);
    let place = match finding.span {
        Some(_) => format!("{}:{}", finding.source.path, finding.position().line),
        None => finding.source.path.clone(),
    };
    let mut lines = vec![format!("    {severity} {code} {place}: {}", finding.message)];
    lines.extend(finding.help.iter().map(|help| format!("      help: {help}")));
    lines
}

fn finding(finding: &Diagnostic) -> String {
    render::text(finding, Style::Colour) + "\n"
}

/// How many tools need what.
fn summary(plan: &MigrationPlan) -> String {
    let tools =
        |wanted: fn(Verdict) -> bool| plan.tools.iter().filter(|tool| wanted(tool.verdict)).count();
    let parts = [
        (tools(|it| it == Verdict::AsItIs), "as it is", "as they are"),
        (tools(|it| it == Verdict::Lines), "with changed lines", "with changed lines"),
        (
            tools(|it| matches!(it, Verdict::Runtime(_))),
            "with another runtime",
            "with another runtime",
        ),
        (tools(|it| it == Verdict::Decision), "after a decision", "after a decision"),
    ];
    let parts: Vec<_> = parts
        .into_iter()
        .filter(|(number, ..)| *number > 0)
        .map(|(number, one, many)| format!("{number} {}", if number == 1 { one } else { many }))
        .collect();
    format!("{} move: {}", count(plan.tools.len(), "tool"), parts.join(", "))
}

/// The commands that carry the plan out.
fn next_step(plan: &MigrationPlan, args: &MigrateArgs) -> Vec<String> {
    let has = |wanted: fn(Verdict) -> bool| plan.tools.iter().any(|tool| wanted(tool.verdict));
    let mut steps = Vec::new();
    if !args.write && plan.tools.iter().any(|tool| write::is_written(tool, false)) {
        steps.push("`--write` makes the changes that need no trust".to_owned());
    }
    if !args.trust && has(|it| matches!(it, Verdict::Runtime(_))) {
        steps.push("`--write --trust` also sets the runtimes".to_owned());
    }
    if has(|it| it == Verdict::Decision) {
        steps.push(
            "until a decision is made, `aileron build --keep-going` builds the others".to_owned(),
        );
    }
    steps
}

pub(super) fn json(tools: &Path, plan: &MigrationPlan, files: &[String]) -> Value {
    json!({
        "folder": written(tools),
        "tools": plan.tools.iter().map(tool_json).collect::<Vec<_>>(),
        "findings": plan.toolset.iter().map(finding_json).collect::<Vec<_>>(),
        "written": files,
    })
}

fn tool_json(tool: &ToolPlan) -> Value {
    let mut value = json!({
        "directory": tool.directory,
        "verdict": tool.verdict.as_str(),
        "changes": tool.changes.iter().map(change_json).collect::<Vec<_>>(),
        "reasons": tool.reasons.iter().map(finding_json).collect::<Vec<_>>(),
        "remaining": tool.remaining.iter().map(finding_json).collect::<Vec<_>>(),
    });
    if let Verdict::Runtime(name) = tool.verdict {
        value["runtime"] = json!(name);
    }
    value
}

fn change_json(change: &LineChange) -> Value {
    json!({
        "file": change.file, "line": change.line, "before": change.before, "after": change.after,
    })
}

fn finding_json(finding: &Diagnostic) -> Value {
    let line = finding.span.is_some().then(|| finding.position().line);
    json!({
        "code": finding.rule.code,
        "severity": Severity::as_str(finding.severity),
        "file": finding.source.path,
        "line": line,
        "message": finding.message,
        "help": finding.help,
    })
}
