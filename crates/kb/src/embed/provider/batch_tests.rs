//! Which texts go together.

use super::*;

fn places(texts: &[&str], most: usize) -> Vec<Vec<usize>> {
    split(texts, most).into_iter().map(|batch| batch.places).collect()
}

#[test]
fn texts_fill_requests_in_order_without_the_blank_ones() {
    assert_eq!(places(&["a", "", "b", " \n", "c", "d"], 2), [vec![0, 2], vec![4, 5]]);
    assert!(places(&["", " "], 2).is_empty());
    assert!(places(&[], 2).is_empty());
}

#[test]
fn long_texts_share_no_request() {
    let (half, whole) = ("x".repeat(MOST_BYTES / 2), "y".repeat(MOST_BYTES + 1));
    let texts = [half.as_str(), half.as_str(), "z", whole.as_str(), "w"];
    assert_eq!(places(&texts, 9), [vec![0, 1], vec![2], vec![3], vec![4]]);
}
