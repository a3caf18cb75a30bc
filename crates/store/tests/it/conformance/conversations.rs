//! Conversations: only a caller that has the last version can save.

use std::sync::Arc;
use std::thread;

use aileron_store::{
    Lease, OwnerFilter, RecentCursor, SaveResult, Store, StoredConversation, Summary,
};
use serde_json::{Value, json};

use crate::conformance;
use crate::sample::{conversation, user};

conformance!(
    a_conversation_is_saved_and_loaded,
    a_stale_version_is_refused,
    of_many_who_saw_a_version_one_saves,
    a_deleted_conversation_is_gone,
    conversations_are_listed_page_by_page,
    a_person_is_shown_their_own_and_nobody_elses,
);

fn save(store: &dyn Store, id: &str, expected: u64, body: Value) -> SaveResult {
    save_of(store, None, id, expected, body)
}

fn save_of(
    store: &dyn Store,
    owner: Option<&str>,
    id: &str,
    expected: u64,
    body: Value,
) -> SaveResult {
    let (now, owner) = (1000 + expected, owner.map(user));
    let (id, lease) = (conversation(id), Lease::unowned());
    let saved =
        store.save_conversation(&id, lease.at(expected), owner.as_ref(), Arc::new(body), now);
    saved.wait().unwrap()
}

fn load(store: &dyn Store, id: &str) -> Option<StoredConversation> {
    store.load_conversation(&conversation(id)).wait().unwrap()
}

fn a_conversation_is_saved_and_loaded(store: &dyn Store) {
    assert_eq!(load(store, "c"), None);
    assert_eq!(save(store, "c", 0, json!({"turn": 1})), SaveResult::At(1));
    assert_eq!(save(store, "c", 1, json!({"turn": 2, "f": 1.5})), SaveResult::At(2));
    let body = Arc::new(json!({"turn": 2, "f": 1.5}));
    assert_eq!(load(store, "c"), Some(StoredConversation { version: 2, time: 1001, body }));
}

fn a_stale_version_is_refused(store: &dyn Store) {
    assert_eq!(save(store, "c", 3, json!(1)), SaveResult::Conflict { found: 0 });
    assert_eq!(save(store, "c", 0, json!(1)), SaveResult::At(1));
    assert_eq!(save(store, "c", 0, json!(2)), SaveResult::Conflict { found: 1 });
    assert_eq!(*load(store, "c").unwrap().body, json!(1));
}

fn of_many_who_saw_a_version_one_saves(store: &dyn Store) {
    save(store, "c", 0, json!(0));
    let saved: Vec<SaveResult> = thread::scope(|scope| {
        let threads = (0..16).map(|index| scope.spawn(move || save(store, "c", 1, json!(index))));
        let threads: Vec<_> = threads.collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert_eq!(saved.iter().filter(|saved| **saved == SaveResult::At(2)).count(), 1);
}

fn a_deleted_conversation_is_gone(store: &dyn Store) {
    save(store, "c", 0, json!(1));
    assert!(store.delete_conversation(&conversation("c")).wait().unwrap());
    assert!(!store.delete_conversation(&conversation("c")).wait().unwrap());
    assert_eq!(load(store, "c"), None);
    assert_eq!(save(store, "c", 0, json!(1)), SaveResult::At(1));
}

fn conversations_are_listed_page_by_page(store: &dyn Store) {
    for id in ["b", "a", "é", "C"] {
        save(store, id, 0, json!(1));
    }
    let mut seen: Vec<Summary> = Vec::new();
    loop {
        let after = seen.last().map(|Summary { conversation, time, .. }| RecentCursor {
            time: *time,
            conversation: conversation.clone(),
        });
        let page = store.conversations(&OwnerFilter::Of(None), after.as_ref(), 3).wait().unwrap();
        if page.is_empty() {
            break;
        }
        seen.extend(page);
    }
    let expected = ["é", "b", "a", "C"].map(|id| Summary {
        conversation: conversation(id),
        version: 1,
        time: 1000,
        owner: None,
    });
    assert_eq!(seen, expected);
}

fn a_person_is_shown_their_own_and_nobody_elses(store: &dyn Store) {
    for n in 0..40 {
        save_of(store, Some(&format!("user-{}", n % 8)), &format!("c-{n:02}"), 0, json!(1));
    }
    save_of(store, None, "nobodys", 0, json!(1));
    save_of(store, Some("user-3"), "c-03", 1, json!(2));
    let listed = |owner: &OwnerFilter, after: Option<&str>, limit| {
        let cursor = |id| RecentCursor { time: 1000, conversation: conversation(id) };
        let page = store.conversations(owner, after.map(cursor).as_ref(), limit).wait().unwrap();
        page.into_iter().map(|one| one.conversation.to_string()).collect::<Vec<_>>()
    };
    let ids =
        |owner: Option<&str>, after, limit| listed(&OwnerFilter::Of(owner.map(user)), after, limit);
    assert_eq!(ids(Some("user-3"), None, 2), ["c-03", "c-35"]);
    assert_eq!(ids(Some("user-3"), Some("c-27"), 9), ["c-19", "c-11"]);
    assert_eq!(listed(&OwnerFilter::Everybody, None, 3), ["c-03", "nobodys", "c-39"]);
    assert_eq!(ids(None, None, 9), ["nobodys"]);
    assert_eq!(ids(Some("user-9"), None, 9), [""; 0]);
    assert!(store.delete_conversation(&conversation("c-11")).wait().unwrap());
    assert_eq!(ids(Some("user-3"), Some("c-27"), 2), ["c-19"]);
}
