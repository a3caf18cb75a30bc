//! A vector in twelve bits a column: a coarse code of four, a fine code of eight.
//!
//! `value = scale * ((coarse - 7.5) + fine / 254)`, where the scale makes the
//! column farthest from zero the outermost coarse code. The coarse code alone is
//! at most half a scale away, whatever the vector looks like.

/// The middle of the coarse codes 0 to 15.
pub(super) const MIDDLE: f32 = 7.5;

/// Fine codes are so many steps of a coarse one.
pub(super) const FINE: f32 = 254.0;

/// The codes of one row. Byte `i` of `coarse` has column `i` in its low half
/// and column `coarse.len() + i` in its high half; columns past the last are zero.
#[derive(Debug, Clone, Copy)]
pub(super) struct Row<'a> {
    pub(super) scale: f32,
    pub(super) coarse: &'a [u8],
    pub(super) fine: &'a [i8],
}

/// Encodes a vector at the ends of `coarse`, which grows by `width`, and `fine`.
/// Answers its scale.
pub(super) fn encode(
    vector: &[f32],
    width: usize,
    coarse: &mut Vec<u8>,
    fine: &mut Vec<i8>,
) -> f32 {
    let farthest = vector.iter().fold(0.0, |farthest: f32, value| farthest.max(value.abs()));
    let scale = farthest / MIDDLE;
    let start = coarse.len();
    coarse.resize(start + width, 0);
    for (column, value) in vector.iter().enumerate() {
        let (code, rest) = codes(*value, scale);
        let shift = if column < width { 0 } else { 4 };
        coarse[start + column % width] |= code << shift;
        fine.push(rest);
    }
    scale
}

fn codes(value: f32, scale: f32) -> (u8, i8) {
    if scale == 0.0 {
        return (0, 0);
    }
    let steps = value / scale;
    let code = (steps + MIDDLE).round().clamp(0.0, 15.0);
    let rest = (steps - (code - MIDDLE)) * FINE;
    (code as u8, rest.round().clamp(-127.0, 127.0) as i8)
}
