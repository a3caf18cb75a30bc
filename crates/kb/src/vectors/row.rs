//! A vector in twelve bits a column: a coarse code of four, a fine code of eight.
//!
//! `value = scale * ((coarse - 7.5) + fine / 254)`, where the scale makes the
//! column farthest from zero the outermost coarse code. The coarse code alone is
//! at most half a scale away, whatever the vector looks like.

use pulp::Arch;

/// The middle of the coarse codes 0 to 15.
pub(super) const MIDDLE: f32 = 7.5;

/// Steps of the fine code per coarse step.
pub(super) const FINE: f32 = 254.0;

/// The codes of one row. Byte `i` of `coarse` has column `i` in its low half
/// and column `coarse.len() + i` in its high half; columns past the last are zero.
#[derive(Debug, Clone, Copy)]
pub(super) struct VectorRow<'a> {
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
    let (coarse_start, fine_start) = (coarse.len(), fine.len());
    coarse.resize(coarse_start + width, 0);
    fine.resize(fine_start + vector.len(), 0);
    if scale.is_normal() {
        let (low, high) = vector.split_at(width.min(vector.len()));
        let (fine_low, fine_high) = fine[fine_start..].split_at_mut(low.len());
        let coarse = &mut coarse[coarse_start..];
        Arch::new().dispatch(
            #[inline(always)]
            || {
                encode_half(low, scale, coarse, fine_low, 1);
                encode_half(high, scale, coarse, fine_high, 16);
            },
        );
        return scale;
    }
    0.0
}

/// `place` is the value of a code in its half of the byte.
#[inline(always)]
fn encode_half(values: &[f32], scale: f32, coarse: &mut [u8], fine: &mut [i8], place: u8) {
    let inverse = scale.recip();
    for ((value, coarse), fine) in values.iter().zip(coarse).zip(fine) {
        let steps = value * inverse;
        let (code, code_byte) = rounded(steps + MIDDLE);
        let (_, fine_byte) = rounded((steps - (code - MIDDLE)) * FINE);
        *coarse += code_byte * place;
        *fine = fine_byte as i8;
    }
}

/// The nearest whole number, and its lowest byte. A float of this size has no
/// bits for fractions, so that adding it rounds and leaves the number in the lowest
/// bits: much faster than a conversion, which has to check the range.
#[inline(always)]
fn rounded(value: f32) -> (f32, u8) {
    const WHOLE: f32 = 12_582_912.0;
    let shifted = value + WHOLE;
    (shifted - WHOLE, shifted.to_bits() as u8)
}
