//! The choice of tokens.

use super::*;

#[test]
fn the_end_is_not_the_first_token() {
    let mut logits = vec![0.0; 10];
    (logits[END as usize], logits[7]) = (9.0, 5.0);
    assert_eq!(likeliest(&logits, true).0, 7);
    assert_eq!(likeliest(&logits, false).0, END);
}

#[test]
fn a_sequence_three_times_over_is_an_endless_one() {
    assert!(repeats(&[9, 1, 2, 1, 2, 1, 2]));
    assert!(!repeats(&[1, 2, 1, 2]));
    assert!(!repeats(&[5, 5, 5]));
}
