//! `aileron check`: every fault, nothing written. The findings are the data.

use crate::args::{CheckArgs, Format};
use crate::commands::findings;
use crate::output::{self, Failure, Outcome, count};
use crate::progress::Progress;

pub(crate) fn run(args: &CheckArgs) -> Result<Outcome, Failure> {
    let compilation = findings::compile(&args.compile, &Progress::start("tools"))?;
    let diagnostics = &compilation.diagnostics;
    if args.compile.format == Format::Text {
        findings::texts(&args.compile, diagnostics)
            .iter()
            .try_for_each(|text| output::data(text))?;
        let tools = count(compilation.tools.len(), "tool");
        output::talk(&format!(
            "{tools} compiled: {}",
            findings::summary(&args.compile, diagnostics)
        ));
    }
    findings::print_for_machines(&args.compile, diagnostics, None)?;
    Ok(findings::outcome(&args.compile, diagnostics))
}
