//! Where sessions run.

use std::collections::BTreeSet;

use tokio::sync::mpsc::unbounded_channel;

use super::*;

#[tokio::test]
async fn sessions_are_spread_over_threads_of_their_own() {
    let threads = Threads::default();
    let (names, mut seen) = unbounded_channel();
    let (_open, gate) = tokio::sync::watch::channel(());
    let count = thread::available_parallelism().map_or(1, NonZero::get);
    for _ in 0..count {
        let (names, mut gate) = (names.clone(), gate.clone());
        threads.spawn(async move {
            let _ = names.send(thread::current().name().map(str::to_owned));
            // A session that has not ended keeps its place.
            let _ = gate.changed().await;
        });
    }
    let mut found = BTreeSet::new();
    for _ in 0..count {
        found.insert(seen.recv().await.unwrap().unwrap());
    }
    assert_eq!(found.len(), count, "{found:?}");
    assert!(found.iter().all(|name| name.starts_with("voice-")), "{found:?}");
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
