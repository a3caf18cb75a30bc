//! A call that is answered in another way.

use aileron_contract::ToolSpec;
use aileron_contract::spec::Execution;

use crate::breaking::promise::{PromiseBreach, promise};

promise! {
    /// A call is answered in the same way: with its result, or with the id of a task.
    ///
    /// ## Why
    /// A caller of a background tool gets the id of a task at once and the data later. One that was
    /// written for a foreground tool reads the data from the first answer, and the other way round.
    ///
    /// ## Example
    /// ```json
    /// { "execution": "foreground" }
    /// { "execution": "background" }
    /// ```
    ///
    /// ## Fix
    /// Keep it as it was, and make a second tool for the other way. Without the field it is
    /// `foreground`.
    EXECUTION_SAME, "EXECUTION_SAME", "execution-changed", Major
}

pub(super) fn check(previous: &ToolSpec, current: &ToolSpec, found: &mut Vec<PromiseBreach>) {
    let (before, after) = (previous.execution(), current.execution());
    if before != after {
        let message =
            format!("a call was answered {}, is answered {}", words(before), words(after));
        found.push(PromiseBreach::new(&PROMISE, "/execution", message));
    }
}

fn words(execution: Execution) -> &'static str {
    match execution {
        Execution::Foreground => "with its result",
        Execution::Background => "with the id of a task",
    }
}
