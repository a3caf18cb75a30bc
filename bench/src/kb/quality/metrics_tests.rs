//! Measures of small rankings, worked out by hand.

use super::*;

fn check(found: &[&str], ndcg: f64, recall: f64, mrr: f64) {
    let grades =
        HashMap::from([("a".to_owned(), 1.0), ("b".to_owned(), 1.0), ("no".to_owned(), 0.0)]);
    let metrics = Metrics::of(found, &grades);
    assert!((metrics.ndcg - ndcg).abs() < 1e-4, "{metrics:?}");
    assert_eq!((metrics.recall, metrics.mrr), (recall, mrr));
}

#[test]
fn all_answers_first_is_perfect() {
    check(&["b", "a", "x"], 1.0, 1.0, 1.0);
}

#[test]
fn nothing_found_is_nothing() {
    check(&[], 0.0, 0.0, 0.0);
    check(&["x", "no"], 0.0, 0.0, 0.0);
}

#[test]
fn a_later_answer_counts_less() {
    // 1/log2(3) of 1 + 1/log2(3).
    check(&["x", "a"], 0.630_93 / 1.630_93, 0.5, 0.5);
}

#[test]
fn an_answer_after_the_tenth_counts_for_recall_alone() {
    let others: Vec<_> = std::iter::repeat_n("x", 10).chain(["a"]).collect();
    check(&others, 0.0, 0.5, 0.0);
}
