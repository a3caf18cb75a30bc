//! Tasks: stored, changed while they run, listed from the newest, told once, and expired.

use std::sync::Arc;

use aileron_contract::CallId;
use aileron_store::{
    OwnerFilter, Store, StoredTask, TaskChange, TaskCounts, TaskCursor, TaskEnd, TaskFilter,
    TaskState,
};
use serde_json::json;

use crate::conformance;
use crate::sample::{READS, call, conversation, success, user};

conformance!(
    a_task_is_found_as_it_was_stored,
    a_task_that_has_ended_does_not_change,
    a_result_is_told_once_it_is_marked,
    tasks_are_listed_from_the_newest_page_by_page,
    tasks_that_run_are_counted_by_conversation_and_person,
    tasks_that_ended_long_ago_are_removed,
    a_deleted_conversation_takes_its_tasks_with_it,
);

fn task(id: &str, of: &str, began: u64) -> StoredTask {
    StoredTask {
        id: id.to_owned(),
        conversation: conversation(of),
        user: Some(user("ada")),
        call_id: CallId::new(format!("call-{id}")).unwrap(),
        key: format!("key-{id}"),
        tool: "long_search".to_owned(),
        began,
        runs: 1,
        body: Arc::new(json!({ "args": { "query": "flaps" } })),
        progress: None,
        cancel_requested: false,
        end: None,
    }
}

fn put(store: &dyn Store, tasks: impl IntoIterator<Item = StoredTask>) {
    tasks.into_iter().for_each(|task| store.put_task(task).wait().unwrap());
}

fn end(store: &dyn Store, id: &str, at: u64) -> bool {
    let answer = success(&call("c", id, READS, 1), json!({ "found": 3 }));
    store.change_task(id, TaskChange::End { at, answer }).wait().unwrap()
}

fn listed(store: &dyn Store, filter: &TaskFilter) -> Vec<String> {
    let tasks = store.tasks(filter, None, 10).wait().unwrap();
    tasks.into_iter().map(|task| task.id).collect()
}

fn of_state(state: TaskState) -> TaskFilter {
    TaskFilter { state, ..TaskFilter::default() }
}

fn a_task_is_found_as_it_was_stored(store: &dyn Store) {
    let answer = success(&call("c", "a", READS, 1), json!({ "found": 3 }));
    let stored = StoredTask {
        runs: 2,
        progress: Some(Arc::new(json!({ "done": 0.5 }))),
        cancel_requested: true,
        end: Some(TaskEnd { at: 9, answer, told: true }),
        ..task("a", "c", 7)
    };
    put(store, [stored.clone()]);
    assert_eq!(store.task("a").wait().unwrap(), Some(stored));
    assert_eq!(store.task("b").wait().unwrap(), None);
}

fn a_task_that_has_ended_does_not_change(store: &dyn Store) {
    put(store, [task("a", "c", 7)]);
    let progress = || TaskChange::Progress(Arc::new(json!("half")));
    assert!(store.change_task("a", progress()).wait().unwrap());
    assert!(end(store, "a", 9));
    assert!(!end(store, "a", 10));
    assert!(!store.change_task("a", TaskChange::RequestCancel).wait().unwrap());
    assert!(!store.change_task("b", progress()).wait().unwrap());
    let found = store.task("a").wait().unwrap().unwrap();
    let at = found.end.as_ref().map(|end| end.at);
    assert_eq!(
        (found.progress, found.cancel_requested, at),
        (Some(Arc::new(json!("half"))), false, Some(9))
    );
}

fn a_result_is_told_once_it_is_marked(store: &dyn Store) {
    put(store, [task("a", "c", 7), task("b", "c", 8), task("d", "c", 9)]);
    assert!(end(store, "a", 10) && end(store, "b", 11));
    assert_eq!(listed(store, &of_state(TaskState::Untold)), ["b", "a"]);
    store.mark_told(&["a".to_owned(), "d".to_owned()]).wait().unwrap();
    assert_eq!(listed(store, &of_state(TaskState::Untold)), ["b"]);
    // A task that runs has no result that could be told.
    assert!(end(store, "d", 12));
    assert_eq!(listed(store, &of_state(TaskState::Untold)), ["d", "b"]);
}

fn tasks_are_listed_from_the_newest_page_by_page(store: &dyn Store) {
    let of_bob = StoredTask { user: Some(user("bob")), ..task("b", "other", 7) };
    put(store, [task("a", "c", 7), of_bob, task("d", "c", 9), task("e", "c", 8)]);
    assert!(end(store, "e", 10));
    assert_eq!(listed(store, &TaskFilter::default()), ["d", "e", "b", "a"]);
    assert_eq!(listed(store, &of_state(TaskState::Running)), ["d", "b", "a"]);
    assert_eq!(listed(store, &of_state(TaskState::Ended)), ["e"]);
    let owner = OwnerFilter::Of(Some(user("bob")));
    assert_eq!(listed(store, &TaskFilter { owner, ..TaskFilter::default() }), ["b"]);
    let conversation = Some(conversation("c"));
    let of_one = TaskFilter { conversation, ..TaskFilter::default() };
    assert_eq!(listed(store, &of_one), ["d", "e", "a"]);
    let after = TaskCursor { began: 8, id: "e".to_owned() };
    let next = store.tasks(&TaskFilter::default(), Some(&after), 1).wait().unwrap();
    assert_eq!(next.first().map(|task| task.id.as_str()), Some("b"));
}

fn tasks_that_run_are_counted_by_conversation_and_person(store: &dyn Store) {
    let nobody = StoredTask { user: None, ..task("n", "c", 1) };
    put(store, [task("a", "c", 7), task("b", "other", 7), task("d", "c", 9), nobody]);
    assert!(end(store, "d", 10));
    let count = |of: &str, who: Option<&str>| {
        store.count_tasks(&conversation(of), who.map(user).as_ref()).unwrap()
    };
    assert_eq!(count("c", Some("ada")), TaskCounts { conversation: 2, user: 2 });
    assert_eq!(count("other", Some("bob")), TaskCounts { conversation: 1, user: 0 });
    assert_eq!(count("c", None), TaskCounts { conversation: 2, user: 0 });
}

fn tasks_that_ended_long_ago_are_removed(store: &dyn Store) {
    put(store, [task("a", "c", 7), task("b", "c", 8), task("d", "c", 9)]);
    assert!(end(store, "a", 100) && end(store, "b", 300));
    assert_eq!(store.expire(1100, 900).wait().unwrap().tasks, 1);
    assert_eq!(listed(store, &TaskFilter::default()), ["d", "b"]);
}

fn a_deleted_conversation_takes_its_tasks_with_it(store: &dyn Store) {
    put(store, [task("a", "c", 7), task("b", "other", 8)]);
    store.delete_conversation(&conversation("c")).wait().unwrap();
    assert_eq!(listed(store, &TaskFilter::default()), ["b"]);
}
