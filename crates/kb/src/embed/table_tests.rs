//! The data that is compiled in.

use super::*;

#[test]
fn the_table_is_the_one_the_code_expects() {
    assert_eq!(TABLE[..8], *b"STEMB1\0\0");
    let number = |at: usize| u32::from_le_bytes(TABLE[at..at + 4].try_into().unwrap());
    assert_eq!([number(8), number(12), number(16)], [TOKENS as u32, DIM as u32, 1]);
    let scales = TABLE[HEADER..ROWS].as_chunks().0;
    assert!(scales.iter().all(|scale| (0.0..10.0).contains(&f32::from_le_bytes(*scale))));
}

#[test]
fn tokens_outside_of_the_table_count_nothing() {
    assert_eq!(mean([(u32::MAX, 1.0), (1996, 1.0)].into_iter()), mean([(1996, 2.0)].into_iter()));
    assert_eq!(mean([].into_iter()), [0.0; DIM]);
}
