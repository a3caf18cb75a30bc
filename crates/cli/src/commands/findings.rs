//! Compiles for `build` and `check`, and prints what was found.

use std::path::Path;

use aileron_compiler::declare::OpenAiForm;
use aileron_compiler::render::{self, Style};
use aileron_compiler::{Compilation, Counts, Diagnostic, Options, Severity, compile_folder};
use serde_json::Value;

use crate::args::{CompileArgs, DiagnosticFormat};
use crate::commands::diff;
use crate::output::{self, ExitOutcome, Failure, count};
use crate::progress::ProgressMeter;
use crate::settings::Settings;
use crate::toolset;

/// Compiles the tools and, with `--against`, compares them with a previous toolset.
pub(crate) fn compile(
    args: &CompileArgs,
    config: Option<&Path>,
    progress: &ProgressMeter,
) -> Result<Compilation, Failure> {
    let options = options(args, Settings::load(config)?.compile_options());
    let mut compilation =
        compile_folder(&args.tools, &options, &|done, total| progress.update(done, total));
    progress.finish();
    toolset::check_natives(&mut compilation, &args.tools);
    if let Some(previous) = &args.against
        && compilation.succeeded()
    {
        let broken = diff::violations(previous, &compilation, &args.tools, &options, &args.allow)?;
        compilation.diagnostics.extend(broken);
        Diagnostic::sort(&mut compilation.diagnostics);
    }
    Ok(compilation)
}

/// The options of the settings, overridden by the command line.
fn options(args: &CompileArgs, set: Options) -> Options {
    let targets = if args.targets.is_empty() { set.targets } else { args.targets.clone() };
    let form = if args.strict { OpenAiForm::Strict } else { set.form };
    Options { targets, form, claims: set.claims }
}

/// Whether the findings make the command fail.
pub(crate) fn outcome(args: &CompileArgs, diagnostics: &[Diagnostic]) -> ExitOutcome {
    let counts = Counts::of(diagnostics);
    if counts.errors > 0 || (args.deny_warnings && counts.warnings > 0) {
        ExitOutcome::Findings
    } else {
        ExitOutcome::Fine
    }
}

/// Renders each finding as text, notes only with `--notes`.
pub(crate) fn texts(
    args: &CompileArgs,
    diagnostics: &[Diagnostic],
) -> impl Iterator<Item = String> {
    shown(args, diagnostics).into_iter().map(|finding| render::text(&finding, Style::Colour) + "\n")
}

/// Prints findings in a form for machines; `extra` joins the JSON object.
///
/// JSON always has the notes; annotations and SARIF only with `--notes`.
pub(crate) fn print_for_machines(
    args: &CompileArgs,
    diagnostics: &[Diagnostic],
    extra: Option<(&str, Value)>,
) -> Result<(), Failure> {
    match args.format {
        DiagnosticFormat::Text => Ok(()),
        DiagnosticFormat::Json => {
            let mut report = render::json(diagnostics);
            if let Some((key, value)) = extra {
                report[key] = value;
            }
            output::data(&pretty(&report))
        }
        DiagnosticFormat::Github => {
            output::data_all(shown(args, diagnostics).iter().map(render::github))
        }
        DiagnosticFormat::Sarif => output::data(&pretty(&render::sarif(&shown(args, diagnostics)))),
    }
}

/// The findings a person asked for: notes only with `--notes`.
fn shown(args: &CompileArgs, diagnostics: &[Diagnostic]) -> Vec<Diagnostic> {
    let wanted = |finding: &&Diagnostic| args.notes || finding.severity != Severity::Note;
    diagnostics.iter().filter(wanted).cloned().collect()
}

pub(crate) fn pretty(value: &Value) -> String {
    serde_json::to_string_pretty(value).unwrap_or_default()
}

/// `2 errors, 1 warning`, with the number of hidden notes.
pub(crate) fn summary(args: &CompileArgs, diagnostics: &[Diagnostic]) -> String {
    let counts = Counts::of(diagnostics);
    let mut parts = vec![count(counts.errors, "error"), count(counts.warnings, "warning")];
    match counts.notes {
        0 => {}
        notes if args.notes => parts.push(count(notes, "note")),
        notes => parts.push(format!("{} (--notes shows them)", count(notes, "note"))),
    }
    parts.join(", ")
}

/// A path with forward slashes, as written.
pub(crate) fn written(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}
