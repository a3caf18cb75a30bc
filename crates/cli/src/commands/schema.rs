//! `aileron schema`: the formats of our own files, for editors.

use aileron_compiler::format::{CASES_SCHEMA, TOOL_SCHEMA};

use crate::args::SchemaArgs;
use crate::output::{self, ExitOutcome, Failure};

pub(crate) fn run(args: &SchemaArgs) -> Result<ExitOutcome, Failure> {
    let schema = if args.cases { CASES_SCHEMA } else { TOOL_SCHEMA };
    output::data(schema.trim_end())?;
    Ok(ExitOutcome::Fine)
}
