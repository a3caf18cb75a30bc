//! Tasks of all conversations: listing, cancelling, and resuming those of processes that died.

use aileron_store::{StoreError, TaskChange, TaskCursor, TaskFilter, TaskState};

use super::Orchestrator;
use crate::open_error::OpenError;
use crate::open_request::{ModeEntry, OpenRequest};
use crate::task::{self, CancelledTask, Interrupted, ListedTask, TaskLoss};

impl Orchestrator {
    /// The tasks that match, the newest first, after a position. The caller checks who may see them.
    pub async fn tasks(
        &self,
        filter: &TaskFilter,
        after: Option<&TaskCursor>,
        limit: usize,
    ) -> Result<Vec<ListedTask>, StoreError> {
        task::list(&self.0.services, filter, after, limit).await
    }

    /// A task by its id. The caller checks who may see it.
    pub async fn task(&self, id: &str) -> Result<Option<ListedTask>, StoreError> {
        task::show(&self.0.services, id).await
    }

    /// Cancels a task. If another process runs it, that process is asked to. The caller checks who may.
    pub async fn cancel_task(&self, id: &str) -> Result<CancelledTask, StoreError> {
        let services = &self.0.services;
        // Stored first: if this process dies before the handler has stopped, the task is not started
        // again.
        let runs = services.store.change_task(id, TaskChange::RequestCancel).await?;
        services.tasks.cancel(id);
        Ok(if runs { CancelledTask::Requested } else { CancelledTask::Ended })
    }

    /// Looks after the tasks of processes that died: ends those that cannot run again, starts the
    /// others again in their conversations. Call it when the process starts and regularly; it costs
    /// one read while no task runs.
    pub async fn resume_tasks(&self) -> Result<(), StoreError> {
        let services = &self.0.services;
        let filter = TaskFilter { state: TaskState::Running, ..TaskFilter::default() };
        if services.store.tasks(&filter, None, 1).await?.is_empty() {
            return Ok(());
        }
        services.store.recover().await?;
        for interrupted in task::interrupted(services).await? {
            self.resume_task(interrupted).await?;
        }
        Ok(())
    }

    async fn resume_task(&self, interrupted: Interrupted) -> Result<(), StoreError> {
        let services = &self.0.services;
        let (id, person) = (interrupted.task().conversation.clone(), interrupted.person());
        let mode = match self.inspect(&id).await {
            Ok(Some(found)) => found.state.mode(),
            Ok(None) | Err(OpenError::Ended) => {
                let loss = TaskLoss::ConversationOver;
                return task::end_without_running(services, &interrupted, loss).await;
            }
            // It is tried again later.
            Err(_) => return Ok(()),
        };
        match self.enter(OpenRequest { id, mode, person }, ModeEntry::IfExpected).await {
            Ok(Some(conversation)) => task::run_again(conversation.core(), interrupted).await,
            Ok(None) | Err(OpenError::Ended) => {
                let loss = TaskLoss::ConversationOver;
                task::end_without_running(services, &interrupted, loss).await
            }
            Err(OpenError::RegistryGone { .. }) => {
                task::end_without_running(services, &interrupted, TaskLoss::ToolGone).await
            }
            Err(_) => Ok(()),
        }
    }
}
