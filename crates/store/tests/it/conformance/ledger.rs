//! Calls: started once, answered once, recorded once.

use std::sync::Arc;
use std::thread;

use aileron_contract::{ErrorType, Outcome};
use aileron_store::{AuditFilter, BeginResult, CallStatus, Store};
use serde_json::json;

use crate::conformance;
use crate::sample::{self, READS, WRITES, call, conversation};
use crate::subject::{begin, log, records, refuse, run, settle, start, state, word};

conformance!(
    a_key_is_unknown_then_running_then_finished,
    a_finished_call_is_not_begun_again,
    a_running_call_is_not_begun_again,
    a_duplicate_waits_for_the_answer,
    a_duplicate_of_a_write_waits_for_the_answer,
    the_same_key_in_another_conversation_is_another_call,
    a_call_is_found_before_its_begin_is_awaited,
    a_dropped_write_is_abandoned_and_recorded,
    a_dropped_read_is_recorded_and_may_run_again,
    a_ticket_dropped_in_a_panic_says_so,
    a_duplicate_of_a_dropped_call_is_released,
    a_write_that_nobody_waits_for_never_begins,
    a_failed_call_replays_its_error,
    each_call_has_one_record_in_the_order_of_settling,
    recorded_refusals_leave_no_entry,
    a_refusal_is_an_answer,
    a_refusal_leaves_another_call_its_key,
    a_refusal_replaces_a_dropped_read,
    a_key_tells_what_was_called,
    many_threads_begin_a_key_once,
    nothing_is_recovered_from_a_living_process,
);

fn a_key_is_unknown_then_running_then_finished(store: &dyn Store) {
    for (key, effects) in [("r", READS), ("w", WRITES)] {
        assert_eq!(state(store, "c", key), "unknown");
        let ticket = start(store, &call("c", key, effects, 1));
        assert_eq!(state(store, "c", key), "running");
        settle(store, ticket, json!({"n": 1}));
        assert_eq!(state(store, "c", key), r#"finished {"n":1}"#);
    }
}

fn a_finished_call_is_not_begun_again(store: &dyn Store) {
    for (key, effects) in [("r", READS), ("w", WRITES)] {
        run(store, &call("c", key, effects, 1));
        let BeginResult::Known(CallStatus::Finished(answer)) =
            begin(store, &call("c", key, effects, 2))
        else {
            panic!("expected the answer");
        };
        assert_eq!(answer, sample::success(&call("c", key, effects, 1), json!(key)));
    }
}

fn a_running_call_is_not_begun_again(store: &dyn Store) {
    for (key, effects) in [("r", READS), ("w", WRITES)] {
        let ticket = start(store, &call("c", key, effects, 1));
        assert!(matches!(
            begin(store, &call("c", key, effects, 1)),
            BeginResult::Known(CallStatus::Running(_))
        ));
        settle(store, ticket, json!(1));
    }
}

fn a_duplicate_waits_for_the_answer(store: &dyn Store) {
    duplicate_waits(store, READS);
}

fn a_duplicate_of_a_write_waits_for_the_answer(store: &dyn Store) {
    duplicate_waits(store, WRITES);
}

fn duplicate_waits(store: &dyn Store, effects: aileron_contract::spec::SideEffects) {
    let ticket = start(store, &call("c", "a", effects, 1));
    let Some(CallStatus::Running(running)) = store.lookup(&conversation("c"), "a").unwrap() else {
        panic!("expected it to run");
    };
    let waiters = [running.clone(), running];
    let waiters = waiters.map(|running| thread::spawn(move || running.wait()));
    settle(store, ticket, json!("late"));
    for waiter in waiters {
        let expected = sample::success(&call("c", "a", effects, 1), json!("late"));
        assert_eq!(waiter.join().unwrap(), Some(expected));
    }
}

fn the_same_key_in_another_conversation_is_another_call(store: &dyn Store) {
    run(store, &call("c", "a", WRITES, 1));
    assert_eq!(state(store, "d", "a"), "unknown");
    run(store, &call("d", "a", WRITES, 1));
    assert_eq!(log(store, AuditFilter::default()).len(), 2);
}

fn a_call_is_found_before_its_begin_is_awaited(store: &dyn Store) {
    let commit = store.begin(call("c", "a", WRITES, 1));
    assert_eq!(state(store, "c", "a"), "running");
    let BeginResult::Started(ticket) = commit.wait().unwrap() else {
        panic!("expected it to start")
    };
    settle(store, ticket, json!(1));
}

fn a_dropped_write_is_abandoned_and_recorded(store: &dyn Store) {
    drop(start(store, &call("c", "w", WRITES, 1)));
    assert_eq!(state(store, "c", "w"), "abandoned write");
    let BeginResult::Known(known) = begin(store, &call("c", "w", WRITES, 1)) else {
        panic!("expected it to stay abandoned");
    };
    assert_eq!(word(&known), "abandoned write");
    assert_eq!(log(store, AuditFilter::default()), ["call-w cancelled"]);
    assert_eq!(state(store, "c", "w"), "abandoned write");
}

fn a_dropped_read_is_recorded_and_may_run_again(store: &dyn Store) {
    drop(start(store, &call("c", "r", READS, 1)));
    assert_eq!(state(store, "c", "r"), "abandoned read");
    assert_eq!(log(store, AuditFilter::default()), ["call-r cancelled"]);
    assert_eq!(state(store, "c", "r"), "abandoned read");
    run(store, &call("c", "r", READS, 2));
    assert_eq!(log(store, AuditFilter::default()), ["call-r cancelled", "call-r completed"]);
}

fn a_ticket_dropped_in_a_panic_says_so(store: &dyn Store) {
    thread::scope(|scope| {
        let panicking = scope.spawn(|| {
            let _ticket = start(store, &call("c", "w", WRITES, 1));
            std::panic::resume_unwind(Box::new("handler"));
        });
        panicking.join().unwrap_err();
    });
    assert_eq!(log(store, AuditFilter::default()), ["call-w panicked"]);
}

fn a_duplicate_of_a_dropped_call_is_released(store: &dyn Store) {
    let ticket = start(store, &call("c", "w", WRITES, 1));
    let Some(CallStatus::Running(running)) = store.lookup(&conversation("c"), "w").unwrap() else {
        panic!("expected it to run");
    };
    drop(ticket);
    assert_eq!(running.wait(), None);
}

fn a_write_that_nobody_waits_for_never_begins(store: &dyn Store) {
    drop(store.begin(call("c", "w", WRITES, 1)));
    assert_eq!(state(store, "c", "w"), "unknown");
    assert_eq!(log(store, AuditFilter::default()), [""; 0]);
}

fn a_failed_call_replays_its_error(store: &dyn Store) {
    let call = call("c", "a", WRITES, 1);
    let ticket = start(store, &call);
    let answer = sample::failure(&call, ErrorType::Conflict, "taken");
    store.settle(ticket, Outcome::Completed, answer).wait().unwrap();
    assert_eq!(state(store, "c", "a"), "failed CONFLICT");
    let records = records(store, AuditFilter::default());
    assert_eq!(records[0].entry.error, Some(ErrorType::Conflict));
}

fn each_call_has_one_record_in_the_order_of_settling(store: &dyn Store) {
    let tickets = ["a", "b", "c"].map(|key| start(store, &call("c", key, READS, 1)));
    tickets.into_iter().rev().for_each(|ticket| settle(store, ticket, json!(1)));
    refuse(store, &call("c", "d", WRITES, 1), "loops");
    run(store, &call("c", "e", WRITES, 1));
    let _ = begin(store, &call("c", "a", READS, 1));
    let expected = [
        "call-c completed",
        "call-b completed",
        "call-a completed",
        "call-d refused:loops",
        "call-e completed",
    ];
    assert_eq!(log(store, AuditFilter::default()), expected);
}

fn recorded_refusals_leave_no_entry(store: &dyn Store) {
    refuse(store, &call("c", "a", WRITES, 1), "budgets");
    assert_eq!(state(store, "c", "a"), "unknown");
}

fn many_threads_begin_a_key_once(store: &dyn Store) {
    for (key, effects) in [("r", READS), ("w", WRITES)] {
        let begun: Vec<BeginResult> = thread::scope(|scope| {
            let begin = || begin(store, &call("c", key, effects, 1));
            let threads: Vec<_> = (0..16).map(|_| scope.spawn(begin)).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        let started = begun.into_iter().filter_map(|begun| match begun {
            BeginResult::Started(ticket) => Some(ticket),
            BeginResult::Known(_) => None,
        });
        let started: Vec<_> = started.collect();
        assert_eq!(started.len(), 1);
        started.into_iter().for_each(|ticket| settle(store, ticket, json!(1)));
    }
    assert_eq!(log(store, AuditFilter::default()).len(), 2);
}

fn nothing_is_recovered_from_a_living_process(store: &dyn Store) {
    let call: Arc<_> = call("c", "w", WRITES, 1);
    let ticket = start(store, &call);
    assert_eq!(store.recover().wait().unwrap(), []);
    settle(store, ticket, json!(1));
    assert_eq!(log(store, AuditFilter::default()), ["call-w completed"]);
}

fn a_refusal_is_an_answer(store: &dyn Store) {
    for (key, effects) in [("r", READS), ("w", WRITES)] {
        let refused = call("c", key, effects, 1);
        let answer = sample::failure(&refused, ErrorType::BudgetExceeded, "used up");
        let outcome = Outcome::refused_by("budgets");
        store.refuse(refused, outcome, answer.clone()).wait().unwrap();
        let BeginResult::Known(CallStatus::Finished(found)) =
            begin(store, &call("c", key, effects, 2))
        else {
            panic!("expected the refusal");
        };
        assert_eq!(found, answer);
    }
    store.flush().wait().unwrap();
    assert_eq!(records(store, AuditFilter::default()).len(), 2);
}

fn a_refusal_leaves_another_call_its_key(store: &dyn Store) {
    for (key, effects) in [("r", READS), ("w", WRITES)] {
        let ticket = start(store, &call("c", key, effects, 1));
        let again = call("c", key, effects, 2);
        let answer = sample::failure(&again, ErrorType::Unavailable, "blocked");
        store.refuse(again, Outcome::refused_by("conversation_state"), answer).wait().unwrap();
        assert_eq!(state(store, "c", key), "running");
        settle(store, ticket, json!(1));
        assert_eq!(state(store, "c", key), "finished 1");
    }
    store.flush().wait().unwrap();
    assert_eq!(records(store, AuditFilter::default()).len(), 4);
}

fn a_refusal_replaces_a_dropped_read(store: &dyn Store) {
    drop(start(store, &call("c", "r", READS, 1)));
    let again = call("c", "r", READS, 2);
    let answer = sample::failure(&again, ErrorType::BudgetExceeded, "used up");
    store.refuse(again, Outcome::refused_by("budgets"), answer).wait().unwrap();
    store.flush().wait().unwrap();
    let Some(CallStatus::Finished(found)) = store.lookup(&conversation("c"), "r").unwrap() else {
        panic!("expected the refusal");
    };
    assert_eq!(found.failure().unwrap().kind, ErrorType::BudgetExceeded);
}

fn a_key_tells_what_was_called(store: &dyn Store) {
    assert_eq!(store.content(&conversation("c"), "w").unwrap(), None);
    let begun = call("c", "w", WRITES, 1);
    let ticket = start(store, &begun);
    assert_eq!(store.content(&conversation("c"), "w").unwrap(), Some(begun.content()));
    settle(store, ticket, json!(1));
    assert_eq!(store.content(&conversation("c"), "w").unwrap(), Some(begun.content()));
}
