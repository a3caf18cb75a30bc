//! Keeping the best.

use super::*;

fn check(scores: &[f32], most: usize, expected: &[u32]) {
    let mut best = TopK::new(most);
    (0..).zip(scores).for_each(|(passage, score)| best.push(passage, *score));
    let mut found: Vec<u32> =
        best.into_passages().into_iter().map(|(passage, _)| passage).collect();
    found.sort_unstable();
    assert_eq!(found, expected);
}

#[test]
fn the_highest_stay_and_of_equals_the_first() {
    check(&[0.1, 0.5, 0.3, 0.4], 2, &[1, 3]);
    check(&[0.5, 0.5, 0.5, 0.6], 2, &[0, 3]);
    check(&[0.5], 3, &[0]);
    check(&[0.0, 0.0], 3, &[]);
}
