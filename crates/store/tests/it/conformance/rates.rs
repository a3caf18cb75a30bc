//! Counted calls: a maximum per window, over all processes.

use std::thread;

use aileron_store::{CountResult, Counter, Store};

use crate::conformance;

conformance!(
    no_more_are_counted_than_fit_the_window,
    counters_of_two_names_are_apart,
    a_question_counts_nothing,
    whoever_asks_knows_of_those_that_are_being_counted,
    a_limit_of_none_lets_nothing_pass,
    of_many_threads_so_many_are_counted,
    a_window_that_is_over_is_forgotten,
);

fn counter(name: &str, calls: u64) -> Counter {
    Counter { name: name.to_owned(), calls, window_ms: 100 }
}

fn count(store: &dyn Store, counter: &Counter, now: u64) -> CountResult {
    store.count_call(counter, now).wait().unwrap()
}

fn counted(store: &dyn Store, counter: &Counter, now: u64) {
    assert_eq!(count(store, counter, now), CountResult::Within);
}

fn no_more_are_counted_than_fit_the_window(store: &dyn Store) {
    let two = counter("a", 2);
    counted(store, &two, 10);
    counted(store, &two, 50);
    assert_eq!(count(store, &two, 60), CountResult::Full { wait_ms: 50 });
    assert_eq!(count(store, &two, 109), CountResult::Full { wait_ms: 1 });
    counted(store, &two, 110);
    assert_eq!(count(store, &two, 110), CountResult::Full { wait_ms: 40 });
}

fn counters_of_two_names_are_apart(store: &dyn Store) {
    counted(store, &counter("a", 1), 10);
    counted(store, &counter("b", 1), 10);
    assert_eq!(count(store, &counter("a", 1), 10), CountResult::Full { wait_ms: 100 });
}

fn a_question_counts_nothing(store: &dyn Store) {
    let two = counter("a", 2);
    counted(store, &two, 10);
    let wait = |more, now| store.wait_to_count(&two, more, now).unwrap();
    assert_eq!([wait(0, 20), wait(1, 20), wait(2, 20)], [None, Some(90), Some(100)]);
    assert_eq!(wait(1, 110), None);
    counted(store, &two, 20);
    assert_eq!(wait(0, 20), Some(90));
}

fn whoever_asks_knows_of_those_that_are_being_counted(store: &dyn Store) {
    let (many, other) = (counter("a", 50), counter("b", 50));
    for counted in 0..50 {
        assert_eq!(store.wait_to_count(&many, 49 - counted, 10).unwrap(), None, "{counted}");
        assert_eq!(store.wait_to_count(&many, 50 - counted, 10).unwrap(), Some(100), "{counted}");
        // The results of these are not awaited.
        drop(store.count_call(&many, 10));
    }
    assert_eq!(store.wait_to_count(&many, 0, 10).unwrap(), Some(100));
    assert_eq!(store.wait_to_count(&other, 0, 10).unwrap(), None);
}

fn a_limit_of_none_lets_nothing_pass(store: &dyn Store) {
    assert_eq!(count(store, &counter("a", 0), 10), CountResult::Full { wait_ms: 100 });
}

fn of_many_threads_so_many_are_counted(store: &dyn Store) {
    let five = counter("a", 5);
    let counted: usize = thread::scope(|scope| {
        let count = || usize::from(matches!(count(store, &five, 10), CountResult::Within));
        let threads: Vec<_> = (0..16).map(|_| scope.spawn(count)).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).sum()
    });
    assert_eq!(counted, 5);
}

fn a_window_that_is_over_is_forgotten(store: &dyn Store) {
    let one = counter("a", 1);
    counted(store, &one, 10);
    store.expire(109, 0).wait().unwrap();
    assert_eq!(count(store, &one, 109), CountResult::Full { wait_ms: 1 });
    store.expire(110, 0).wait().unwrap();
    // Even a longer window does not include it.
    let longer = Counter { window_ms: 10_000, ..one };
    counted(store, &longer, 110);
}
