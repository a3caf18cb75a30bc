//! Checks the vectors that a provider sends.

use super::fault::EmbedFault;

/// The vectors in the order of their texts: one for each, of the right length, of
/// finite numbers.
pub(super) fn check(
    found: Vec<(usize, Vec<f32>)>,
    texts: usize,
    dim: usize,
) -> Result<Vec<Vec<f32>>, EmbedFault> {
    let count = found.len();
    if count != texts {
        return Err(EmbedFault::lasting(format!("expected {texts} vectors, found {count}")));
    }
    let mut ordered: Vec<Option<Vec<f32>>> = vec![None; texts];
    for (place, vector) in found {
        check_vector(&vector, dim)?;
        match ordered.get_mut(place) {
            Some(free @ None) => *free = Some(vector),
            _ => {
                return Err(EmbedFault::lasting(format!(
                    "expected each index below {texts} once, found {place}"
                )));
            }
        }
    }
    Ok(ordered.into_iter().flatten().collect())
}

fn check_vector(vector: &[f32], dim: usize) -> Result<(), EmbedFault> {
    let found = vector.len();
    if found != dim {
        return Err(EmbedFault::lasting(format!(
            "expected vectors of {dim} columns, found {found}: set the number of columns"
        )));
    }
    if vector.iter().any(|value| !value.is_finite()) {
        return Err(EmbedFault::lasting(
            "expected vectors of finite numbers, found one that is not",
        ));
    }
    Ok(())
}

/// Numbers as they are stored. One that is too large becomes infinite and is then refused.
pub(super) fn narrow(values: &[f64]) -> Vec<f32> {
    values.iter().map(|value| *value as f32).collect()
}
