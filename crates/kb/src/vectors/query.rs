//! A query, prepared for the rows of one file.

use super::format::Layout;
use super::rotation::rotate;
use super::row::MIDDLE;

/// How many standard deviations an estimate may be off before a row is missed.
/// A sum of many small rounding errors goes past four once in 16,000 times, and only
/// then is a row lost that is also among the best.
const DEVIATIONS: f32 = 4.0;

#[derive(Debug)]
pub(super) struct Query {
    exact: Vec<f32>,
    /// The columns as bytes, in the order of the low and of the high halves of coarse codes.
    low: Vec<i8>,
    high: Vec<i8>,
    /// The value of 1 in the bytes.
    step: f32,
    /// The sum of the bytes for a row of middle codes.
    middle: f32,
    /// The largest error of an estimate, in scales of the row.
    margin: f32,
}

/// The bounds of a row's similarity by its coarse codes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Estimate {
    pub(super) lower: f32,
    pub(super) upper: f32,
}

impl Query {
    /// Nothing for a query to which every row is equally near: zero, or not a number.
    pub(super) fn of(query: &[f32], layout: &Layout) -> Option<Self> {
        let exact = rotated(query, layout);
        let farthest = exact.iter().fold(0.0, |farthest: f32, value| farthest.max(value.abs()));
        let step = farthest / f32::from(i8::MAX);
        if !(step.is_normal() && exact.iter().all(|value| value.is_finite())) {
            return None;
        }
        let mut low: Vec<i8> = exact.iter().map(|value| (value / step).round() as i8).collect();
        let middle = MIDDLE * low.iter().map(|byte| f32::from(*byte)).sum::<f32>();
        let margin = margin(&exact, &low, step);
        low.resize(layout.coarse() * 2, 0);
        let high = low.split_off(layout.coarse());
        Some(Self { exact, low, high, step, middle, margin })
    }

    pub(super) fn exact(&self) -> &[f32] {
        &self.exact
    }

    /// The bytes that belong to the low and to the high halves of coarse codes.
    pub(super) fn bytes(&self) -> (&[i8], &[i8]) {
        (&self.low, &self.high)
    }

    /// Bounds from the product of a row's coarse codes and the bytes of the query.
    #[inline(always)]
    pub(super) fn estimate(&self, product: i32, scale: f32) -> Estimate {
        let likeness = (product as f32 - self.middle) * self.step;
        Estimate {
            lower: scale * (likeness - self.margin),
            upper: scale * (likeness + self.margin),
        }
    }
}

/// A query as the rows of a file are: rotated, with columns for all of theirs.
pub(super) fn rotated(query: &[f32], layout: &Layout) -> Vec<f32> {
    let mut rotated: Vec<f32> = query.iter().copied().take(layout.dim()).collect();
    rotated.resize(layout.dim(), 0.0);
    rotate(&mut rotated);
    rotated
}

/// Each column of a row is off by up to half a scale, evenly spread (variance 1/12),
/// each column of the query by its own rounding, times a code of at most [`MIDDLE`].
/// A sum of halves is also a bound, and the closer one where few columns count.
fn margin(exact: &[f32], bytes: &[i8], step: f32) -> f32 {
    let rounding = exact.iter().zip(bytes).map(|(value, byte)| value - f32::from(*byte) * step);
    let (mut squares, mut sum) = (0.0, 0.0);
    for (value, rounding) in exact.iter().zip(rounding) {
        squares += value * value / 12.0 + (MIDDLE * rounding).powi(2);
        sum += value.abs() / 2.0 + MIDDLE * rounding.abs();
    }
    (DEVIATIONS * squares.sqrt()).min(sum)
}
