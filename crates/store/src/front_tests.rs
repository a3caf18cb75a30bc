//! What memory answers by itself, and when it sends the caller to the disk.

use serde_json::json;

use super::*;
use crate::sample::{READS, WRITES, call, conversation, success};

fn covered(keys: &[&str]) -> Front {
    let front = Front::new(Backing::Disk);
    let keys: Vec<_> = keys.iter().map(ToString::to_string).collect();
    assert!(front.cover(&conversation("c"), &keys, front.epoch()));
    front
}

/// As a store on disk claims it.
fn claim(front: &Front, call: &Arc<CallStart>, checked: Checked) -> Glance {
    let entered = if call.writes() { Entered::ByTheCaller } else { Entered::IfItRunsLong };
    front.claim(call, checked, entered)
}

#[test]
fn a_conversation_on_disk_is_listed_before_anything_is_said_of_it() {
    let front = Front::new(Backing::Disk);
    assert!(matches!(front.peek(&conversation("c"), "a"), Glance::NotCovered));
    assert!(matches!(
        claim(&front, &call("c", "a", READS, 1), Checked::DiskToo),
        Glance::NotCovered
    ));
}

#[test]
fn a_key_that_is_not_listed_is_nowhere() {
    let front = covered(&["old"]);
    assert!(matches!(front.peek(&conversation("c"), "new"), Glance::Nowhere));
    assert!(matches!(front.peek(&conversation("c"), "old"), Glance::MaybeOnDisk));
}

#[test]
fn a_claim_is_made_once() {
    let front = covered(&[]);
    let first = call("c", "a", READS, 1);
    assert!(matches!(claim(&front, &first, Checked::MemoryOnly), Glance::Nowhere));
    let second = claim(&front, &call("c", "a", READS, 1), Checked::DiskToo);
    assert!(matches!(second, Glance::Here(Known::Running(_))));
    assert!(front.is_running(&first));
}

#[test]
fn who_waits_is_given_the_answer() {
    let front = covered(&[]);
    let call = call("c", "a", WRITES, 1);
    claim(&front, &call, Checked::MemoryOnly);
    let Glance::Here(Known::Running(running)) = front.peek(&conversation("c"), "a") else {
        panic!("expected it to run");
    };
    let answer = success(&call, json!(1));
    front.finish(&call, answer.clone());
    assert_eq!(running.wait(), Some(answer));
}

#[test]
fn who_waits_for_an_abandoned_call_is_told() {
    let front = covered(&[]);
    let call = call("c", "a", WRITES, 1);
    claim(&front, &call, Checked::MemoryOnly);
    let Glance::Here(Known::Running(running)) = front.peek(&conversation("c"), "a") else {
        panic!("expected it to run");
    };
    front.abandon(&call);
    assert_eq!(running.wait(), None);
}

#[test]
fn an_answer_left_to_the_disk_is_looked_for_there() {
    let front = covered(&[]);
    let (first, second) = (call("c", "a", READS, 1), call("c", "b", READS, 1));
    for call in [&first, &second] {
        claim(&front, call, Checked::MemoryOnly);
        front.finish(call, success(call, json!(1)));
    }
    front.leave_to_disk(&first);
    assert!(matches!(front.peek(&conversation("c"), "a"), Glance::MaybeOnDisk));
    assert!(matches!(front.peek(&conversation("c"), "new"), Glance::Nowhere));
    front.leave_to_disk(&second);
    assert!(matches!(front.peek(&conversation("c"), "new"), Glance::NotCovered));
}

#[test]
fn an_older_run_does_not_end_a_newer_one() {
    let front = covered(&[]);
    let (older, newer) = (call("c", "a", READS, 1), call("c", "a", READS, 2));
    claim(&front, &older, Checked::MemoryOnly);
    front.abandon(&older);
    assert!(matches!(claim(&front, &newer, Checked::MemoryOnly), Glance::Again));
    front.leave_to_disk(&older);
    front.withdraw(&older);
    front.finish(&older, success(&older, json!(1)));
    assert!(front.is_running(&newer));
}

#[test]
fn a_listing_older_than_a_foreign_key_is_not_trusted() {
    let front = Front::new(Backing::Disk);
    let epoch = front.epoch();
    front.note_foreign(&conversation("c"), "foreign");
    assert!(!front.cover(&conversation("c"), &[], epoch));
    assert!(matches!(front.peek(&conversation("c"), "foreign"), Glance::NotCovered));
    front.leave_uncovered(&conversation("c"));
    assert!(matches!(front.peek(&conversation("c"), "any"), Glance::MaybeOnDisk));
}

#[test]
fn conversations_that_were_only_asked_about_are_swept() {
    let front = Front::new(Backing::Disk);
    for index in 0..200_000 {
        front.cover(&conversation(&format!("c{index}")), &[], front.epoch());
    }
    let held: usize = front.shards.iter().map(|shard| lock(shard).conversations.len()).sum();
    assert!(held <= SHARDS * 1024, "{held}");
}
