//! `aileron js-worker`: the worker process of `isolation = "process"`. Not for people.

use aileron_sandbox::worker;

use crate::output::{ExitOutcome, Failure};

pub(crate) fn run() -> Result<ExitOutcome, Failure> {
    let served = worker::run().map(|()| ExitOutcome::Fine);
    served.map_err(|error| Failure::Failed(format!("the worker lost its pipe: {error}")))
}
