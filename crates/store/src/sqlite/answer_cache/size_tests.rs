//! Compares the estimates with the known sizes of the parts.

use serde_json::json;

use super::*;
use crate::sample::{READS, call, failure, success};

/// The estimated bytes of an answer's data.
fn counted(data: Value) -> usize {
    of_value(&data)
}

#[test]
fn what_holds_nothing_counts_nothing() {
    assert_eq!(
        [json!(null), json!(1.5), json!(true), json!(""), json!([]), json!({})].map(counted),
        [0; 6]
    );
}

#[test]
fn a_text_counts_as_the_allocator_gives_it() {
    let sizes = [1, 16, 17, 100, 128, 129, 1000, 20_000].map(|len| counted(json!("x".repeat(len))));
    assert_eq!(sizes, [16, 16, 32, 112, 128, 160, 1024, 20_480]);
}

#[test]
fn an_object_counts_a_node_however_small_it_is() {
    let object = |len: usize| -> Value { (0..len).map(|n| (n.to_string(), json!(n))).collect() };
    let nodes = [1, 11, 12, 60].map(|len| (counted(object(len)) - 16 * len) / block(NODE));
    assert_eq!(nodes, [1, 1, 2, 10]);
    assert_eq!(counted(json!([{"a": 1}, {"a": 2}])), 2 * (block(NODE) + 16) + 64);
}

#[test]
fn a_call_counts_whatever_it_carries() {
    let long = "x".repeat(4096);
    let plain = call("c", "k", READS, 1);
    let base = of_call(&plain, &success(&plain, json!(1)));
    let more = |call: &CallStart, answer: &ToolResponse| of_call(call, answer) - base;

    let mut args = CallStart::clone(&plain);
    args.args = json!({"query": long, "top_k": 3}).into();
    assert_eq!(more(&args, &success(&plain, json!(1))), 4096 - 16);
    assert_eq!(more(&plain, &success(&plain, json!(long))), 4096);
    let refused = failure(&plain, aileron_contract::ErrorType::Internal, &long);
    assert_eq!(more(&plain, &refused), 4096);
    let mut key = CallStart::clone(&plain);
    key.key = long.into();
    assert!(more(&key, &success(&plain, json!(1))) >= 4096);
}
