//! The invariants of a rotation, and its effect.

use super::*;

fn rotated(vector: &[f32]) -> Vec<f32> {
    let mut vector = vector.to_vec();
    rotate(&mut vector);
    vector
}

fn product(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[test]
fn products_stay_what_they_were() {
    for len in [1, 2, 3, 7, 8, 100, 256, 384, 1000, 1536] {
        let a: Vec<f32> = (0..len).map(|at| (at as f32 * 0.7).sin()).collect();
        let b: Vec<f32> = (0..len).map(|at| (at as f32 * 1.3).cos()).collect();
        let difference = product(&rotated(&a), &rotated(&b)) - product(&a, &b);
        assert!(difference.abs() < 1e-5 * len as f32, "{len}: {difference}");
    }
    assert!(rotated(&[]).is_empty());
}

#[test]
fn a_column_that_stands_out_is_spread_over_all() {
    for len in [256usize, 384, 768, 1000] {
        for column in [0, 1, len / 2, len - 1] {
            let mut vector = vec![0.0; len];
            vector[column] = 1.0;
            let largest =
                rotated(&vector).iter().fold(0.0f32, |largest, value| largest.max(value.abs()));
            assert!(largest < 6.0 / (len as f32).sqrt(), "{len}, {column}: {largest}");
        }
    }
}
