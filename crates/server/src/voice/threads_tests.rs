//! Where sessions run.

use std::collections::BTreeMap;

use tokio::sync::mpsc::unbounded_channel;

use super::*;

/// The threads that so many sessions run on, with how many each has.
async fn places(count: usize) -> BTreeMap<String, usize> {
    let threads = Threads::default();
    let (names, mut seen) = unbounded_channel();
    let (_open, gate) = tokio::sync::watch::channel(());
    let mut found = BTreeMap::new();
    for _ in 0..count {
        let (names, mut gate) = (names.clone(), gate.clone());
        threads.spawn(async move {
            let _ = names.send(thread::current().name().map(str::to_owned));
            // A session that has not ended keeps its place.
            let _ = gate.changed().await;
        });
        *found.entry(seen.recv().await.unwrap().unwrap()).or_default() += 1;
    }
    found
}

#[tokio::test]
async fn sessions_share_a_thread_of_their_own_while_it_has_room() {
    let found = places(SHARED).await;
    assert_eq!(found, BTreeMap::from([("voice-0".to_owned(), SHARED)]));
}

#[tokio::test]
async fn sessions_are_spread_over_all_threads_when_there_are_many() {
    let threads = thread::available_parallelism().map_or(1, NonZero::get);
    let found = places((SHARED + 1) * threads).await;
    assert_eq!(found.len(), threads);
    assert!(found.values().all(|sessions| *sessions == SHARED + 1), "{found:?}");
}

#[tokio::test]
async fn threads_end_with_the_server() {
    let threads = Threads::default();
    let (held, mut dropped) = unbounded_channel::<()>();
    threads.spawn(async move {
        std::future::pending::<()>().await;
        drop(held);
    });
    drop(threads);
    assert_eq!(dropped.recv().await, None);
}
