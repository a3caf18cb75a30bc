//! `aileron completions`: a script that lets a shell complete commands and flags.

use clap::CommandFactory;

use crate::args::{Args, CompletionsArgs};
use crate::output::{self, ExitOutcome, Failure};

pub(crate) fn run(args: &CompletionsArgs) -> Result<ExitOutcome, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Args::command(), "aileron", &mut script);
    output::data(String::from_utf8_lossy(&script).trim_end())?;
    Ok(ExitOutcome::Fine)
}
