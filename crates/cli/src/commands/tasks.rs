//! `aileron tasks`: lists, shows and cancels calls that run in the background. Works on the store, beside a
//! server that uses it.

use std::path::Path;

use aileron_orchestrator::{ListedTask, stored_task, stored_tasks};
use aileron_store::{OwnerFilter, SqliteStore, TaskChange, TaskFilter, TaskState, TaskStore};
use serde_json::{Value, json};

use crate::args::{
    DataFormat, ListedTaskState, StoreArgs, TasksArgs, TasksCancelArgs, TasksCommand,
    TasksListArgs, TasksShowArgs,
};
use crate::commands::findings::pretty;
use crate::commands::{audit, blocks};
use crate::installation::runtime;
use crate::moment;
use crate::output::{self, ExitOutcome, Failure, tame};
use crate::table::{Align, Cell, Table};

const COLUMNS: [(&str, Align); 5] = [
    ("TASK", Align::Left),
    ("TOOL", Align::Left),
    ("STATUS", Align::Left),
    ("BEGAN", Align::Left),
    ("CONVERSATION", Align::Left),
];

const NONE: &str = "There are no such tasks.";

pub(crate) fn run(args: &TasksArgs, config: Option<&Path>) -> Result<ExitOutcome, Failure> {
    match &args.command {
        TasksCommand::List(args) => list(args, config),
        TasksCommand::Show(args) => show(args, config),
        TasksCommand::Cancel(args) => cancel(args, config),
    }
}

fn list(args: &TasksListArgs, config: Option<&Path>) -> Result<ExitOutcome, Failure> {
    let store = blocks::open(&args.store, config)?;
    let filter = TaskFilter {
        owner: match &args.user {
            Some(user) => OwnerFilter::Of(Some(user.clone())),
            None => OwnerFilter::Everybody,
        },
        conversation: args.conversation.clone(),
        state: match args.state {
            ListedTaskState::All => TaskState::Any,
            ListedTaskState::Running => TaskState::Running,
            ListedTaskState::Ended => TaskState::Ended,
        },
    };
    let found = runtime()?.block_on(stored_tasks(&store, &filter, None, args.limit));
    let found = found.map_err(audit::failure)?;
    match args.format {
        DataFormat::Json => {
            let tasks: Vec<_> = found.iter().map(view).collect();
            output::data(&pretty(&json!({ "tasks": tasks })))?;
        }
        DataFormat::Text if found.is_empty() => output::talk(NONE),
        DataFormat::Text => {
            let rows: Vec<_> = found.iter().map(row).collect();
            output::data(&Table::new(COLUMNS).whole(&rows))?;
        }
    }
    Ok(ExitOutcome::Fine)
}

fn row(task: &ListedTask) -> [Cell; 5] {
    let status = match task.cancel_requested && task.ended.is_none() {
        true => "being cancelled".to_owned(),
        false => task.status.as_str().replace('_', " "),
    };
    [
        tame(&task.id),
        tame(&task.tool_id),
        status,
        moment::written(task.began),
        tame(task.conversation.as_str()),
    ]
    .map(Cell::from)
}

fn show(args: &TasksShowArgs, config: Option<&Path>) -> Result<ExitOutcome, Failure> {
    let (task, _) = find(&args.store, &args.task, config)?;
    output::data(&pretty(&view(&task)))?;
    Ok(ExitOutcome::Fine)
}

fn cancel(args: &TasksCancelArgs, config: Option<&Path>) -> Result<ExitOutcome, Failure> {
    let (task, store) = find(&args.store, &args.task, config)?;
    let changed = store.change_task(&task.id, TaskChange::RequestCancel).wait();
    let id = tame(&task.id);
    Ok(match changed.map_err(audit::failure)? {
        true => {
            output::talk(&format!("{id} is being cancelled; the process that runs it stops it."));
            ExitOutcome::Fine
        }
        false => {
            output::talk(&format!("{id} has ended: {}.", task.status));
            ExitOutcome::Findings
        }
    })
}

fn find(
    store: &StoreArgs,
    id: &str,
    config: Option<&Path>,
) -> Result<(ListedTask, SqliteStore), Failure> {
    let store = blocks::open(store, config)?;
    let found = runtime()?.block_on(stored_task(&store, id)).map_err(audit::failure)?;
    let none = || {
        let id = tame(id);
        Failure::Failed(format!("there is no task `{id}`; `aileron tasks list` shows them"))
    };
    Ok((found.ok_or_else(none)?, store))
}

/// The task as the API shows it.
fn view(task: &ListedTask) -> Value {
    let end = task.ended.as_ref();
    json!({
        "id": task.id,
        "conversationId": task.conversation,
        "user": task.user,
        "callId": task.call_id,
        "runsAs": task.runs_as,
        "toolId": task.tool_id,
        "registryVersion": task.registry_version,
        "turn": task.turn,
        "args": task.args,
        "writes": task.writes,
        "detached": task.detached,
        "status": task.status,
        "beganAt": task.began,
        "runs": task.runs,
        "progress": task.progress.as_deref(),
        "cancelRequested": task.cancel_requested,
        "endedAt": end.map(|end| end.at),
        "result": end.map(|end| &end.result),
        "told": end.is_some_and(|end| end.told),
    })
}
