//! Estimates of stack.

use super::*;

#[test]
fn every_token_that_can_nest_counts() {
    assert_eq!(estimate(""), 0);
    assert_eq!(estimate(" \n\t;,"), 0);
    assert_eq!(estimate("([{<"), 4 * OPENING);
    assert_eq!(estimate(")]}"), 0);
    assert_eq!(estimate("await await"), 2 * WORD);
    assert_eq!(estimate("a+b"), 2 * WORD + OPERATOR);
    assert_eq!(estimate("änd"), WORD);
}

#[test]
fn deep_brackets_are_refused() {
    assert_eq!(need(&"(".repeat(100_000)), StackNeed::TooDeep(Some(nesting::DEEPEST)));
    assert_eq!(need(&"()".repeat(5000)), StackNeed::Bytes(5000 * OPENING + BASE));
}

#[test]
fn dense_code_of_the_largest_size_is_not_refused() {
    let line = "export const f=(a,b)=>{if(a.x<b[0]){return g(a.y+1)}return h({a,b:b??c})};";
    let text = line.repeat((1 << 20) / line.len());
    assert!(matches!(need(&text), StackNeed::Bytes(_)));
}

#[test]
fn more_than_can_be_reserved_is_refused() {
    assert_eq!(need(&"!".repeat(3 << 20)), StackNeed::TooDeep(None));
}

#[test]
fn work_runs_with_the_stack_it_needs() {
    fn deep(levels: usize) -> usize {
        let room = std::hint::black_box([levels; 64]);
        if levels == 0 { room[0] } else { deep(levels - 1) + 1 }
    }
    assert_eq!(run(1024, || 7), Some(7));
    assert_eq!(run(512 << 20, || deep(100_000)), Some(100_000));
}

#[test]
fn a_panic_is_no_result() {
    let none: Option<u8> = None;
    assert_eq!(run(0, || assert!(none.is_some(), "expected by the test")), None);
    assert_eq!(run_apart(1 << 20, || assert!(none.is_some(), "expected by the test")), None);
}
