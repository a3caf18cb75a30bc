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
use crate::toolset::{self, FailedTools};

/// Compiles the tools and, with `--against`, compares them with a previous toolset.
pub(crate) fn compile(
    args: &CompileArgs,
    config: Option<&Path>,
    progress: &ProgressMeter,
) -> Result<Compilation, Failure> {
    let settings = Settings::load(config)?;
    let options = options(args, settings.compile_options());
    let mut compilation =
        compile_folder(&args.tools, &options, &|done, total| progress.update(done, total));
    progress.finish();
    toolset::check_natives(&mut compilation, &args.tools);
    let failed = FailedTools::of(args.keep_going, &settings);
    if failed == FailedTools::LeaveOut {
        compilation.leave_out_callers(&args.tools.to_string_lossy());
    }
    let can_compare = match failed {
        FailedTools::Refuse => compilation.succeeded(),
        FailedTools::LeaveOut => compilation.can_leave_out(),
    };
    if let Some(previous) = &args.against
        && can_compare
    {
        let broken = diff::violations(previous, &compilation, &args.tools, &options, &args.allow)?;
        compilation.toolset_failed |= !broken.is_empty();
        compilation.diagnostics.extend(broken);
        Diagnostic::sort(&mut compilation.diagnostics);
    }
    // A build that refuses tools with errors makes nothing of the others.
    compilation.toolset_failed |= failed == FailedTools::Refuse && !compilation.succeeded();
    Ok(compilation)
}

/// The options of the settings, overridden by the command line.
fn options(args: &CompileArgs, set: Options) -> Options {
    let targets = if args.targets.is_empty() { set.targets } else { args.targets.clone() };
    let form = if args.strict { OpenAiForm::Strict } else { set.form };
    Options { targets, form, claims: set.claims }
}

/// Whether the findings make the command fail, or leave tools out.
pub(crate) fn outcome(args: &CompileArgs, compilation: &Compilation) -> ExitOutcome {
    let counts = Counts::of(&compilation.diagnostics);
    let denied = args.deny_warnings && counts.warnings > 0;
    match counts.errors {
        0 if !denied => ExitOutcome::Fine,
        1.. if !denied && compilation.can_leave_out() => ExitOutcome::Partial,
        _ => ExitOutcome::Findings,
    }
}

/// A line for each tool that is left out.
pub(crate) fn left_out(args: &CompileArgs, compilation: &Compilation) -> Vec<String> {
    match outcome(args, compilation) {
        ExitOutcome::Partial => toolset::left_out_lines(&compilation.failed).collect(),
        ExitOutcome::Fine | ExitOutcome::Findings => Vec::new(),
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
