//! Takes vectors of the MiniLM model into the space of the fixed table, so that a query
//! from the table finds documents that the model embedded.

use super::table::DIM;
use super::unit;

/// Columns of the model's vectors.
pub(super) const MODEL_DIM: usize = 384;

const HEADER: usize = 16;
const MATRIX: usize = HEADER + MODEL_DIM * size_of::<f32>();

static DATA: &[u8; MATRIX + MODEL_DIM * DIM * size_of::<f32>()] =
    include_bytes!("../../data/minilm-to-static-256.f32");

/// The vector of unit length in the table's space for a vector of unit length in the model's.
pub(super) fn cross(vector: &[f32]) -> Vec<f32> {
    let mut crossed = vec![0.0; DIM];
    let means = DATA[HEADER..MATRIX].as_chunks().0;
    let rows = DATA[MATRIX..].chunks_exact(DIM * size_of::<f32>());
    for ((value, mean), row) in vector.iter().zip(means).zip(rows) {
        let factor = value - f32::from_le_bytes(*mean);
        let row = row.as_chunks().0.iter().map(|number| f32::from_le_bytes(*number));
        crossed.iter_mut().zip(row).for_each(|(sum, number)| *sum += factor * number);
    }
    unit(&mut crossed);
    crossed
}

#[cfg(test)]
#[path = "bridge_tests.rs"]
mod tests;
