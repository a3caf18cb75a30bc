//! Turns vectors so that no column stands out: a fixed rotation of signs and Hadamard
//! matrices. Products and lengths do not change. Without it, a model with a few large
//! columns or many zeros would leave its other columns no codes, and rounding
//! errors that lean one way; with it, errors are spread evenly whatever the vectors are.
//!
//! The rotation is part of the file format.

use pulp::Arch;

const ROUNDS: u64 = 2;

/// Rotates a vector in place.
pub(super) fn rotate(vector: &mut [f32]) {
    let part = vector.len().checked_ilog2().map_or(0, |power| 1 << power);
    Arch::new().dispatch(
        #[inline(always)]
        || {
            for round in 0..ROUNDS {
                flip(vector, 2 * round);
                hadamard(&mut vector[..part]);
                // A length that is no power of two takes two parts that overlap.
                if part < vector.len() {
                    let start = vector.len() - part;
                    flip(vector, 2 * round + 1);
                    hadamard(&mut vector[start..]);
                }
            }
        },
    );
}

/// Changes the signs of half of the columns, as if by chance.
#[inline(always)]
fn flip(vector: &mut [f32], seed: u64) {
    for (column, value) in (seed << 32..).zip(vector) {
        let mixed = (column + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mixed = (mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let sign = (mixed >> 32) as u32 & 1 << 31;
        *value = f32::from_bits(value.to_bits() ^ sign);
    }
}

/// Multiplies by the Hadamard matrix of a power of two, scaled to keep lengths.
#[inline(always)]
fn hadamard(values: &mut [f32]) {
    let mut half = 1;
    while half < values.len() {
        for pair in values.chunks_exact_mut(2 * half) {
            let (left, right) = pair.split_at_mut(half);
            for (a, b) in left.iter_mut().zip(right) {
                (*a, *b) = (*a + *b, *a - *b);
            }
        }
        half *= 2;
    }
    let scale = (values.len() as f32).sqrt().recip();
    values.iter_mut().for_each(|value| *value *= scale);
}

#[cfg(test)]
#[path = "rotation_tests.rs"]
mod tests;
