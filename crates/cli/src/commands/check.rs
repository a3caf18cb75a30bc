//! `aileron check`: reports every fault and writes nothing. The findings are the output.

use std::path::Path;

use crate::args::{CheckArgs, DiagnosticFormat};
use crate::commands::findings;
use crate::output::{self, ExitOutcome, Failure, count};
use crate::progress::ProgressMeter;

pub(crate) fn run(args: &CheckArgs, config: Option<&Path>) -> Result<ExitOutcome, Failure> {
    let compilation = findings::compile(&args.compile, config, &ProgressMeter::start("tools"))?;
    let diagnostics = &compilation.diagnostics;
    if args.compile.format == DiagnosticFormat::Text {
        let left_out = findings::left_out(&args.compile, &compilation);
        output::data_all(findings::texts(&args.compile, diagnostics).chain(left_out))?;
        let tools = count(compilation.tools.len(), "tool");
        output::talk(&format!(
            "{tools} compiled: {}",
            findings::summary(&args.compile, diagnostics)
        ));
    }
    findings::print_for_machines(&args.compile, diagnostics, None)?;
    Ok(findings::outcome(&args.compile, &compilation))
}
