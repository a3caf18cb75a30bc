//! The tasks of the memory store.

use std::collections::BTreeMap;

use aileron_contract::{ConversationId, UserId};

use crate::tasks::{StoredTask, TaskChange, TaskCounts, TaskCursor, TaskEnd, TaskFilter};

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
