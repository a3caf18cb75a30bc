//! Tasks: calls that continue after their first answer, because their tool runs in the background or
//! because the person interrupted a call that detaches.
//!
//! A task is one call. It passes admission, has one ledger entry, one audit record (written when it
//! ends) and one result. Its first answer says that it runs; the result is a late result. Beside the
//! ledger entry, which says whether and where it runs, the store keeps the task itself (`record`):
//! what is needed to run it again, its progress, its result, and whether the model has the result.
//!
//! - `running_tasks`: the tasks of this process, by their ids; `slot` is the place where a running call
//!   becomes a task, at most once and not after its end.
//! - `run`: a call becomes a task, runs and ends.
//! - `recovery` decides, without side effects, what happens to a task whose process died; `resume`
//!   acts on it.
//! - `results`: the results that the model does not have yet.
//! - `listed`: the tasks for the person and the operator.

mod answer;
mod listed;
mod record;
mod recovery;
mod results;
mod resume;
mod run;
mod running_tasks;
mod slot;

pub(crate) use answer::{TaskLoss, still_running};
pub use listed::{CancelledTask, ListedEnd, ListedTask, stored_task, stored_tasks};
pub(crate) use listed::{list, show};
pub(crate) use record::TaskSeed;
pub use results::told_tasks;
pub(crate) use results::{final_answer, results};
pub(crate) use resume::{Interrupted, end_without_running, interrupted, run_again};
pub(crate) use run::{detach, run_in_background, run_task};
pub(crate) use running_tasks::{RunningTasks, TaskOwner, TaskPlace};
pub(crate) use slot::TaskSlot;
