//! `aileron js-worker`: the other side of `isolation = "process"`. Not for people.

use aileron_sandbox::worker;

use crate::output::{Failure, Outcome};

pub(crate) fn run() -> Result<Outcome, Failure> {
    let served = worker::run().map(|()| Outcome::Fine);
    served.map_err(|error| Failure::Failed(format!("the worker lost its pipe: {error}")))
}
