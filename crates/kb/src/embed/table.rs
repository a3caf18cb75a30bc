//! The vectors of tokens that the crate carries, and how a text's vector is made of them.

use pulp::Arch;

use super::unit;
use super::wordpiece::TOKENS;

/// Columns of the table.
pub(super) const DIM: usize = 256;

const HEADER: usize = 24;
const ROWS: usize = HEADER + TOKENS * size_of::<f32>();

static TABLE: &[u8; ROWS + TOKENS * DIM] = include_bytes!("../../data/static-256.i8");

/// The sum of weighted tokens' vectors at unit length, or zero for no tokens.
pub(super) fn mean(tokens: impl Iterator<Item = (u32, f32)>) -> Vec<f32> {
    let mut sum = vec![0.0; DIM];
    Arch::new().dispatch(
        #[inline(always)]
        || tokens.for_each(|(token, weight)| add(token as usize, weight, &mut sum)),
    );
    unit(&mut sum);
    sum
}

/// Tokens past the end of the table count nothing.
#[inline(always)]
fn add(token: usize, weight: f32, sum: &mut [f32]) {
    let scales = TABLE[HEADER..ROWS].as_chunks().0;
    let rows = TABLE[ROWS..].as_chunks::<DIM>().0;
    let (Some(scale), Some(row)) = (scales.get(token), rows.get(token)) else { return };
    let factor = f32::from_le_bytes(*scale) * weight;
    let row: &[i8] = bytemuck::cast_slice(row);
    sum.iter_mut().zip(row).for_each(|(sum, value)| *sum += factor * f32::from(*value));
}

#[cfg(test)]
#[path = "table_tests.rs"]
mod tests;
