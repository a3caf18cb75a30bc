//! `aileron check`: every fault, nothing written. The findings are the data.

use std::path::Path;

use crate::args::{CheckArgs, Format};
use crate::commands::findings;
use crate::output::{self, Failure, Outcome, count};
use crate::progress::Progress;

pub(crate) fn run(args: &CheckArgs, config: Option<&Path>) -> Result<Outcome, Failure> {
    let compilation = findings::compile(&args.compile, config, &Progress::start("tools"))?;
    let diagnostics = &compilation.diagnostics;
    if args.compile.format == Format::Text {
        output::data_all(findings::texts(&args.compile, diagnostics))?;
        let tools = count(compilation.tools.len(), "tool");
        output::talk(&format!(
            "{tools} compiled: {}",
            findings::summary(&args.compile, diagnostics)
        ));
    }
    findings::print_for_machines(&args.compile, diagnostics, None)?;
    Ok(findings::outcome(&args.compile, diagnostics))
}
