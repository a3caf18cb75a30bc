//! Calls that are answered without being started.

use serde_json::json;

use super::*;
use crate::sample::{READS, call, success};

#[test]
fn all_who_wait_get_the_answer() {
    let (answering, running) = CallWait::pending();
    let answer = success(&call("c", "k", READS, 1), json!(1));
    let waiting = [running.clone(), running].map(|one| std::thread::spawn(|| one.wait()));
    answering.send(answer.clone());
    assert_eq!(waiting.map(|one| one.join().unwrap()), [Some(answer.clone()), Some(answer)]);
}

#[test]
fn who_waits_for_one_that_is_given_up_is_told() {
    let (answering, running) = CallWait::pending();
    drop(answering);
    assert_eq!(running.wait(), None);
}
