//! Estimates of stack.

use super::*;

fn bytes(text: &str) -> usize {
    match need(text) {
        Need::Bytes(bytes) => bytes - BASE,
        Need::TooDeep(at) => panic!("too deep at {at:?}"),
    }
}

#[test]
fn every_token_that_can_nest_counts() {
    assert_eq!(bytes(""), 0);
    assert_eq!(bytes(" \n\t;,"), 0);
    assert_eq!(bytes("([{<"), 4 * OPENING);
    assert_eq!(bytes(")]}"), 0);
    assert_eq!(bytes("await await"), 2 * WORD);
    assert_eq!(bytes("a+b"), 2 * WORD + OPERATOR);
    assert_eq!(bytes("änd"), WORD);
}

#[test]
fn deep_brackets_are_refused_where_they_become_too_deep() {
    assert_eq!(need(&"(".repeat(DEEPEST + 1)), Need::TooDeep(Some(DEEPEST)));
    assert_eq!(need(&"()".repeat(5000)), Need::Bytes(5000 * OPENING + BASE));
    assert_eq!(need(&"a<".repeat(DEEPEST + 1)), Need::TooDeep(Some(2 * DEEPEST + 1)));
    assert!(matches!(need(&"a<b;".repeat(5000)), Need::Bytes(_)));
}

#[test]
fn dense_code_of_the_largest_size_is_not_refused() {
    let line = "export const f=(a,b)=>{if(a.x<b[0]){return g(a.y+1)}return h({a,b:b??c})};";
    let text = line.repeat((1 << 20) / line.len());
    assert!(matches!(need(&text), Need::Bytes(_)));
}

#[test]
fn more_than_can_be_reserved_is_refused() {
    assert_eq!(need(&"!".repeat(3 << 20)), Need::TooDeep(None));
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
    assert_eq!(
        run_apart(1 << 20, || {
            if std::hint::black_box(true) {
                panic!("expected")
            }
        }),
        None
    );
}
