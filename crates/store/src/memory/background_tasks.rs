//! The tasks of the memory store.

use std::collections::BTreeMap;

use aileron_contract::{ConversationId, UserId};

use super::{MemoryStore, lock};
use crate::error::StoreError;
use crate::pending_write::PendingWrite;
use crate::tasks::{
    StoredTask, TaskChange, TaskCounts, TaskCursor, TaskEnd, TaskFilter, TaskStore,
};

impl TaskStore for MemoryStore {
    fn put_task(&self, task: StoredTask) -> PendingWrite<()> {
        self.tables(|tables| tables.tasks.put(task))
    }

    fn change_task(&self, id: &str, change: TaskChange) -> PendingWrite<bool> {
        self.tables(|tables| tables.tasks.change(id, change))
    }

    fn mark_told(&self, ids: &[String]) -> PendingWrite<()> {
        self.tables(|tables| tables.tasks.mark_told(ids))
    }

    fn task(&self, id: &str) -> PendingWrite<Option<StoredTask>> {
        self.tables(|tables| tables.tasks.find(id))
    }

    fn tasks(
        &self,
        filter: &TaskFilter,
        after: Option<&TaskCursor>,
        limit: usize,
    ) -> PendingWrite<Vec<StoredTask>> {
        self.tables(|tables| tables.tasks.list(filter, after, limit))
    }

    fn count_tasks(
        &self,
        conversation: &ConversationId,
        user: Option<&UserId>,
    ) -> Result<TaskCounts, StoreError> {
        Ok(lock(&self.0.tables).tasks.count(conversation, user))
    }
}

#[derive(Debug, Default)]
pub(super) struct BackgroundTasks(BTreeMap<String, StoredTask>);

impl BackgroundTasks {
    pub(super) fn put(&mut self, task: StoredTask) {
        self.0.insert(task.id.clone(), task);
    }

    pub(super) fn change(&mut self, id: &str, change: TaskChange) -> bool {
        let Some(task) = self.0.get_mut(id).filter(|task| task.end.is_none()) else {
            return false;
        };
        match change {
            TaskChange::Progress(progress) => task.progress = Some(progress),
            TaskChange::RequestCancel => task.cancel_requested = true,
            TaskChange::End { at, answer } => {
                task.end = Some(TaskEnd { at, answer, told: false });
            }
        }
        true
    }

    pub(super) fn mark_told(&mut self, ids: &[String]) {
        for id in ids {
            let end = self.0.get_mut(id).and_then(|task| task.end.as_mut());
            end.into_iter().for_each(|end| end.told = true);
        }
    }

    pub(super) fn find(&self, id: &str) -> Option<StoredTask> {
        self.0.get(id).cloned()
    }

    pub(super) fn list(
        &self,
        filter: &TaskFilter,
        after: Option<&TaskCursor>,
        limit: usize,
    ) -> Vec<StoredTask> {
        let cursor = |task: &StoredTask| TaskCursor { began: task.began, id: task.id.clone() };
        let listed = self.0.values().filter(|task| filter.includes(task));
        let listed = listed.filter(|task| after.is_none_or(|after| cursor(task) < *after));
        let mut listed: Vec<_> = listed.cloned().collect();
        listed.sort_by_key(|task| std::cmp::Reverse(cursor(task)));
        listed.truncate(limit);
        listed
    }

    pub(super) fn count(&self, conversation: &ConversationId, user: Option<&UserId>) -> TaskCounts {
        let running = || self.0.values().filter(|task| task.end.is_none());
        TaskCounts {
            conversation: running().filter(|task| task.conversation == *conversation).count(),
            user: running().filter(|task| user.is_some() && task.user.as_ref() == user).count(),
        }
    }

    pub(super) fn expire(&mut self, cutoff: u64, limit: usize) -> usize {
        let old = |task: &StoredTask| task.end.as_ref().is_some_and(|end| end.at <= cutoff);
        self.0.extract_if(.., |_, task| old(task)).take(limit).count()
    }

    pub(super) fn delete(&mut self, conversation: &ConversationId) {
        self.0.retain(|_, task| task.conversation != *conversation);
    }
}
