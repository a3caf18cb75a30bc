//! `aileron diff` and `--against`: which promises a newer toolset breaks.

use std::path::Path;

use aileron_compiler::{Compilation, Diagnostic};

use crate::args::DiffArgs;
use crate::output::{Failure, Outcome};

pub(crate) fn run(args: &DiffArgs) -> Result<Outcome, Failure> {
    let _ = args;
    Ok(Outcome::Fine)
}

/// The broken promises of a compilation against a previous toolset, as findings.
pub(crate) fn violations(
    previous: &str,
    compilation: &Compilation,
    tools: &Path,
    allow: &[String],
) -> Result<Vec<Diagnostic>, Failure> {
    let _ = (previous, compilation, tools, allow);
    Ok(Vec::new())
}
