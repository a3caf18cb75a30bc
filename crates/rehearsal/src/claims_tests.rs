//! A claim that the run does not bear out is no claim.

use super::*;

fn shows(traces: &Traces, row: &str) -> bool {
    traces.show(&ScriptClaim::Row(row.to_owned()))
}

#[test]
fn a_run_without_traces_shows_no_rule() {
    for (row, signs) in ROWS {
        assert!(!signs.is_empty(), "{row} names nothing that has to occur");
        assert!(!shows(&Traces::default(), row), "{row}");
    }
}

#[test]
fn a_rule_that_is_not_listed_is_not_shown() {
    assert!(!shows(&Traces::default(), "no-such-rule"));
}

#[test]
fn every_sign_of_a_rule_has_to_occur() {
    let mut traces = Traces { words: vec!["declined"], ..Traces::default() };
    assert!(!shows(&traces, "confirm-one-by-one"));
    let lines = ["asked: a", "question approved", "asked: b", "question declined"];
    traces.events = lines.map(str::to_owned).into();
    assert!(shows(&traces, "confirm-one-by-one"));
    traces.events.swap(1, 2);
    assert!(!shows(&traces, "confirm-one-by-one"), "in another order");
}

#[test]
fn rules_are_sorted_and_named_once() {
    assert!(ROWS.windows(2).all(|pair| pair[0].0 < pair[1].0));
}
