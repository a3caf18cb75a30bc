//! The bounds of partial data.

use serde_json::json;

use super::*;

#[test]
fn a_long_piece_is_left_out_and_the_next_index_shows_it() {
    let bounds = PartialBounds::default();
    assert_eq!(bounds.admit(&json!("first"), 0), Some(0));
    assert_eq!(bounds.admit(&json!("x".repeat(MAX_PIECE_BYTES)), 0), None);
    assert_eq!(bounds.admit(&json!("third"), 0), Some(2));
}

#[test]
fn pieces_are_bounded_per_second_and_in_all() {
    let bounds = PartialBounds::default();
    let shown = (0..200).filter(|_| bounds.admit(&json!(1), 1500).is_some()).count();
    assert_eq!(shown, MAX_PER_SECOND as usize);
    assert!(bounds.admit(&json!(1), 2000).is_some());
    let piece = json!("x".repeat(MAX_PIECE_BYTES - 2));
    let shown = (0..200).filter(|n| bounds.admit(&piece, 3000 + 100 * n).is_some()).count();
    assert_eq!(shown, MAX_TOTAL_BYTES / MAX_PIECE_BYTES - 1);
}
