//! Confirmations: taken once, by one.

use std::sync::Arc;
use std::thread;

use aileron_store::{Pending, Store, Taken};
use serde_json::json;

use crate::conformance;
use crate::sample::{conversation, user};

conformance!(
    a_confirmation_is_taken_once,
    of_many_threads_one_takes_it,
    from_its_time_on_it_is_expired_and_gone,
    a_conversation_lists_what_waits,
    a_conversation_cancels_its_own,
    an_unknown_token_is_unknown,
);

fn pending(token: &str, id: &str, expires: u64) -> Pending {
    Pending {
        token: token.to_owned(),
        conversation: conversation(id),
        user: Some(user("ada")),
        expires,
        body: Arc::new(json!({"tool": "calendar_create_event", "args": {"title": "Tea"}})),
    }
}

fn put(store: &dyn Store, token: &str, id: &str, expires: u64) {
    store.put_confirmation(pending(token, id, expires)).wait().unwrap();
}

fn take(store: &dyn Store, token: &str, now: u64) -> Taken {
    store.take_confirmation(token, now).wait().unwrap()
}

fn a_confirmation_is_taken_once(store: &dyn Store) {
    put(store, "t", "c", 100);
    assert_eq!(take(store, "t", 99), Taken::Pending(pending("t", "c", 100)));
    assert_eq!(take(store, "t", 99), Taken::Unknown);
}

fn of_many_threads_one_takes_it(store: &dyn Store) {
    put(store, "t", "c", 100);
    let taken: Vec<Taken> = thread::scope(|scope| {
        let threads: Vec<_> = (0..16).map(|_| scope.spawn(|| take(store, "t", 1))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert_eq!(taken.iter().filter(|taken| **taken != Taken::Unknown).count(), 1);
}

fn from_its_time_on_it_is_expired_and_gone(store: &dyn Store) {
    put(store, "t", "c", 100);
    assert_eq!(take(store, "t", 100), Taken::Expired(pending("t", "c", 100)));
    assert_eq!(take(store, "t", 1), Taken::Unknown);
}

fn a_conversation_lists_what_waits(store: &dyn Store) {
    for (token, id, expires) in [("b", "c", 300), ("a", "c", 200), ("x", "d", 200), ("o", "c", 50)]
    {
        put(store, token, id, expires);
    }
    let waiting = store.confirmations(&conversation("c"), 50).wait().unwrap();
    assert_eq!(waiting, [pending("a", "c", 200), pending("b", "c", 300)]);
}

fn a_conversation_cancels_its_own(store: &dyn Store) {
    for (token, id, expires) in [("b", "c", 300), ("a", "c", 200), ("x", "d", 200)] {
        put(store, token, id, expires);
    }
    let gone = store.cancel_confirmations(&conversation("c")).wait().unwrap();
    assert_eq!(gone, [pending("a", "c", 200), pending("b", "c", 300)]);
    assert_eq!(take(store, "a", 1), Taken::Unknown);
    assert_eq!(take(store, "x", 1), Taken::Pending(pending("x", "d", 200)));
}

fn an_unknown_token_is_unknown(store: &dyn Store) {
    assert_eq!(take(store, "t", 1), Taken::Unknown);
    assert_eq!(store.confirmations(&conversation("c"), 1).wait().unwrap(), []);
}
