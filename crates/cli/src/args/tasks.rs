//! The arguments of `aileron tasks`.

use aileron_contract::{ConversationId, UserId};
use clap::{Subcommand, ValueEnum};

use super::{DataFormat, StoreArgs};

#[derive(Debug, clap::Args)]
pub(crate) struct TasksArgs {
    #[command(subcommand)]
    pub(crate) command: TasksCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum TasksCommand {
    /// List tasks, the newest first
    List(TasksListArgs),
    /// Show a task with its progress, and its result when it has ended
    Show(TasksShowArgs),
    /// Cancel a task; the process that runs it stops it within seconds
    Cancel(TasksCancelArgs),
}

/// The tasks to list, by state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ListedTaskState {
    All,
    Running,
    Ended,
}

#[derive(Debug, clap::Args)]
pub(crate) struct TasksListArgs {
    /// Only tasks of this state
    #[arg(long, value_enum, default_value_t = ListedTaskState::All)]
    pub(crate) state: ListedTaskState,
    /// Only tasks of this conversation
    #[arg(long, value_name = "ID", value_parser = |id: &str| ConversationId::new(id))]
    pub(crate) conversation: Option<ConversationId>,
    /// Only tasks of this person
    #[arg(long, value_name = "ID", value_parser = |id: &str| UserId::new(id))]
    pub(crate) user: Option<UserId>,
    /// Maximum number of tasks
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub(crate) limit: usize,
    #[command(flatten)]
    pub(crate) store: StoreArgs,
    /// Output format
    #[arg(long, value_enum, default_value_t = DataFormat::Text)]
    pub(crate) format: DataFormat,
}

#[derive(Debug, clap::Args)]
pub(crate) struct TasksShowArgs {
    /// Task id, as shown by `aileron tasks list`
    #[arg(value_name = "TASK")]
    pub(crate) task: String,
    #[command(flatten)]
    pub(crate) store: StoreArgs,
}

const CANCEL_HELP: &str = "\
The model is told that the task was cancelled. A write that was cancelled may have had an effect.
Exit status 1 if the task has ended.";

#[derive(Debug, clap::Args)]
#[command(after_help = CANCEL_HELP)]
pub(crate) struct TasksCancelArgs {
    /// Task id, as shown by `aileron tasks list`
    #[arg(value_name = "TASK")]
    pub(crate) task: String,
    #[command(flatten)]
    pub(crate) store: StoreArgs,
}
