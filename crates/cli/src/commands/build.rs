//! `aileron build`: compiles the tools and writes the artifact if there are no errors, or without the
//! tools that have errors if it is to keep going.

use std::path::Path;

use aileron_compiler::emit::BuildStamp;
use aileron_compiler::{Compilation, emit};
use serde_json::{Value, json};

use crate::args::{BuildArgs, DiagnosticFormat};
use crate::commands::{findings, watch};
use crate::output::{self, ExitOutcome, Failure, count};
use crate::progress::ProgressMeter;
use crate::stamp;

pub(crate) fn run(args: &BuildArgs, config: Option<&Path>) -> Result<ExitOutcome, Failure> {
    if args.watch { watch::run(args, config) } else { once(args, config) }
}

/// One build.
pub(crate) fn once(args: &BuildArgs, config: Option<&Path>) -> Result<ExitOutcome, Failure> {
    let progress = ProgressMeter::start("tools");
    let mut compilation = findings::compile(&args.compile, config, &progress)?;
    if findings::outcome(&args.compile, &compilation) != ExitOutcome::Findings {
        save(args, &mut compilation);
    }
    report(args, &compilation, &progress)?;
    Ok(findings::outcome(&args.compile, &compilation))
}

fn save(args: &BuildArgs, compilation: &mut Compilation) {
    let left_out = compilation.failed.clone();
    let stamp = BuildStamp { left_out, ..stamp::now(&args.compile.tools) };
    if let Err(finding) = emit::save(&compilation.tools, &stamp, &args.out) {
        compilation.toolset_failed = true;
        compilation.diagnostics.push(*finding);
    }
}

fn report(
    args: &BuildArgs,
    compilation: &Compilation,
    progress: &ProgressMeter,
) -> Result<(), Failure> {
    let diagnostics = &compilation.diagnostics;
    if args.compile.format == DiagnosticFormat::Text {
        let left_out = findings::left_out(&args.compile, compilation);
        let closing = closing_line(args, compilation, progress);
        let texts = findings::texts(&args.compile, diagnostics);
        output::talk_all(texts.chain(left_out).chain([closing]));
    }
    let built = Some(("artifact", artifact(args, compilation)));
    findings::print_for_machines(&args.compile, diagnostics, built)
}

fn closing_line(args: &BuildArgs, compilation: &Compilation, progress: &ProgressMeter) -> String {
    let summary = findings::summary(&args.compile, &compilation.diagnostics);
    let out = findings::written(&args.out);
    let without = match findings::outcome(&args.compile, compilation) {
        ExitOutcome::Findings => return format!("{out} not built: {summary}"),
        ExitOutcome::Partial => {
            format!(" without {}", count(compilation.failed.len(), "tool"))
        }
        ExitOutcome::Fine => String::new(),
    };
    let tools = count(compilation.tools.len(), "tool");
    let version = emit::version(&compilation.tools);
    let time = progress.elapsed().as_millis();
    format!("{out} built{without}: version {version}, {tools} in {time} ms, {summary}")
}

fn artifact(args: &BuildArgs, compilation: &Compilation) -> Value {
    if findings::outcome(&args.compile, compilation) == ExitOutcome::Findings {
        return Value::Null;
    }
    json!({
        "path": findings::written(&args.out),
        "version": emit::version(&compilation.tools),
        "tools": compilation.tools.len(),
        "leftOut": compilation.failed,
    })
}
