//! `aileron handler-process`: starts a Node.js or Python worker. Not for people.

use crate::args::HandlerProcessArgs;
use crate::output::{ExitOutcome, Failure};

pub(crate) fn run(args: &HandlerProcessArgs) -> Result<ExitOutcome, Failure> {
    let error = aileron_workers::launch::run(args.command.iter().cloned());
    Err(Failure::Failed(format!("the worker cannot be started: {error}")))
}
