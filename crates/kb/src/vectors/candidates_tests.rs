//! Which rows are kept by their bounds.

use super::*;

fn rows(candidates: &[RowCandidate]) -> Vec<u32> {
    let mut rows: Vec<u32> = candidates.iter().map(|candidate| candidate.row).collect();
    rows.sort_unstable();
    rows
}

fn kept(candidates: Candidates) -> (Vec<u32>, Vec<u32>) {
    let (likely, rest) = candidates.split();
    (rows(&likely), rows(&rest))
}

fn with(count: usize, bounds: &[(u32, f32, f32)]) -> Candidates {
    let mut candidates = Candidates::new(count);
    for (row, lower, upper) in bounds {
        candidates.push(*row, Estimate { lower: *lower, upper: *upper });
    }
    candidates
}

#[test]
fn rows_that_cannot_reach_the_floor_are_dropped() {
    let found = with(2, &[(0, 0.4, 0.5), (1, 0.1, 0.39), (2, 0.4, 0.6), (3, 0.3, 0.45)]);
    assert_eq!(kept(found), (vec![0, 2], vec![3]));
}

#[test]
fn fewer_rows_than_asked_are_all_kept() {
    let bounds = [(7, -0.9, -0.8), (9, 0.4, 0.6)];
    assert_eq!(kept(with(5, &bounds)), (vec![7, 9], vec![]));
    assert_eq!(kept(with(0, &bounds)), (vec![], vec![7, 9]));
}

#[test]
fn kept_rows_do_not_depend_on_the_order_or_on_the_threads_of_rows() {
    let bounds: Vec<(u32, f32, f32)> = (0..5000u32)
        .map(|row| (row, (row.wrapping_mul(2_654_435_761) >> 8) as f32 / 1e7))
        .map(|(row, middle)| (row, middle - 0.1, middle + 0.1))
        .collect();
    let once = kept(with(30, &bounds));
    let reversed: Vec<_> = bounds.iter().rev().copied().collect();
    assert_eq!(kept(with(30, &reversed)), once);
    let merged =
        bounds.chunks(700).map(|part| with(30, part)).fold(Candidates::new(30), Candidates::merge);
    assert_eq!(kept(merged), once);
    assert_eq!(once.0.len(), 30);
    assert!(!once.1.is_empty() && once.1.len() < 1000);
}
