//! The way from MiniLM's space to the table's.

use super::*;

#[test]
fn the_data_is_the_one_the_code_expects() {
    assert_eq!(DATA[..8], *b"STPRJ1\0\0");
    assert_eq!(DATA[8..16], [128, 1, 0, 0, 0, 1, 0, 0]);
}

/// Made with numpy from the same file.
#[test]
fn a_vector_crosses_as_the_reference_does() {
    let mut vector = vec![0.0; MODEL_DIM];
    (vector[0], vector[383]) = (0.6, 0.8);
    let crossed = cross(&vector);
    assert_eq!(crossed.len(), DIM);
    for (column, expected) in CROSSED {
        assert!((crossed[*column] - expected).abs() < 1e-5, "{column}: {}", crossed[*column]);
    }
}

const CROSSED: &[(usize, f32)] = &[
    (0, -0.118794),
    (1, 0.0517299),
    (2, 0.0409551),
    (100, -0.0386535),
    (127, -0.161413),
    (128, -0.0463875),
    (200, -0.0755852),
    (255, -0.0470123),
];
