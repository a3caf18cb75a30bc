//! `aileron test`: runs the cases of the tools through the pipeline and reports differences.

mod report;

use std::fs;
use std::io::ErrorKind;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use aileron_contract::{Mode, ToolSpec};
use aileron_orchestrator::cases::CaseRunner;
use aileron_runtime::cases::{self, Case};
use aileron_runtime::{Registry, Tool};

use self::report::{CaseRun, TestReport};
use crate::args::{DataFormat, TestArgs};
use crate::installation;
use crate::output::{self, ExitOutcome, Failure};
use crate::progress::ProgressMeter;
use crate::settings::Settings;
use crate::toolset::{self, FailedTools, Purpose};

/// A tool and the cases to run.
type Suite = (Arc<Tool>, Vec<(Case, Mode)>);

pub(crate) fn run(args: &TestArgs, config: Option<&Path>) -> Result<ExitOutcome, Failure> {
    let settings = Settings::load(config)?;
    let failed = FailedTools::of(args.keep_going, &settings);
    let options = settings.compile_options();
    let text = toolset::text_of_folder(&args.tools, &options, Purpose::Run, failed)?;
    let source = args.tools.to_string_lossy();
    let registry = installation::registry(&text, &source, &settings.handlers, &args.tools)?;
    let suites = suites(args, &registry)?;
    let runner = CaseRunner::new(registry).map_err(|error| Failure::Failed(error.to_string()))?;
    let report = run_all(args, &runner, &suites)?;
    if args.format == DataFormat::Json {
        output::data(&report.json())?;
    }
    output::talk(&report.summary());
    Ok(if report.failed() == 0 { ExitOutcome::Fine } else { ExitOutcome::Findings })
}

fn run_all(args: &TestArgs, runner: &CaseRunner, suites: &[Suite]) -> Result<TestReport, Failure> {
    let runtime = installation::runtime()?;
    let progress = ProgressMeter::start("cases");
    let total = suites.iter().map(|(_, cases)| cases.len()).sum();
    let mut report = TestReport::new();
    for (tool, cases) in suites {
        report.begin(&tool.spec().tool_id);
        for (case, mode) in cases {
            let began = Instant::now();
            let outcome = runtime.block_on(runner.run(tool, case, *mode));
            report.add(CaseRun {
                name: case.name.clone(),
                mode: *mode,
                outcome,
                took: began.elapsed(),
            });
            progress.update(report.cases(), total);
        }
        if args.format == DataFormat::Text {
            progress.aside(|| output::data(&report.latest()))?;
        }
    }
    progress.finish();
    Ok(report)
}

/// The selected tools, with the cases in each of their modes.
fn suites(args: &TestArgs, registry: &Registry) -> Result<Vec<Suite>, Failure> {
    let wanted: Vec<_> = args.only.iter().map(|name| name.replace('-', "_")).collect();
    if let Some(unknown) = wanted.iter().find(|id| registry.tool(id).is_none()) {
        return Err(no_tool(unknown, registry));
    }
    let tools = registry.tools().iter();
    let meant = tools.filter(|tool| {
        wanted.is_empty() || wanted.iter().any(|id| id == tool.spec().tool_id.as_str())
    });
    meant.map(|tool| Ok((tool.clone(), in_modes(args, tool.spec())?))).collect()
}

fn no_tool(name: &str, registry: &Registry) -> Failure {
    let closest = registry.closest(name);
    let way_out = match closest.as_slice() {
        [] => "`aileron list` shows all".to_owned(),
        closest => format!("the closest are: {}", closest.join(", ")),
    };
    Failure::Usage(format!("there is no tool {name:?}; {way_out}"))
}

fn in_modes(args: &TestArgs, spec: &ToolSpec) -> Result<Vec<(Case, Mode)>, Failure> {
    let cases = read(&args.tools.join(spec.tool_id.directory()).join("cases.json"))?;
    let in_modes = |case: Case| {
        let modes = case.modes(spec).into_iter();
        let wanted = modes.filter(|mode| args.mode.is_none_or(|wanted| wanted == *mode));
        wanted.map(|mode| (case.clone(), mode)).collect::<Vec<_>>()
    };
    Ok(cases.into_iter().flat_map(in_modes).collect())
}

/// The cases in a file; none if there is no file.
fn read(file: &Path) -> Result<Vec<Case>, Failure> {
    let unreadable = |why: String| Failure::Failed(format!("`{}`: {why}", file.display()));
    match fs::read_to_string(file) {
        Ok(text) => cases::read(&text).map_err(|error| unreadable(error.to_string())),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(unreadable(error.to_string())),
    }
}
