//! The product of a query and rows of coarse codes on x86-64 with AVX2.

use std::arch::x86_64::__m256i;

use bytemuck::{Zeroable, cast};
use pulp::NullaryFnOnce;
use pulp::x86::V3;

use super::{STREAMS, row};
use crate::vectors::format::LANE;

pub(super) struct Multiply<'a> {
    pub(super) simd: V3,
    pub(super) low: &'a [i8],
    pub(super) high: &'a [i8],
    pub(super) coarse: &'a [u8],
    pub(super) places: &'a [u32],
    pub(super) products: &'a mut [i32],
}

impl NullaryFnOnce for Multiply<'_> {
    type Output = ();

    /// Takes rows from all four quarters of the list in turn.
    #[inline(always)]
    fn call(self) {
        let Self { simd, low, high, coarse, places, products } = self;
        let width = low.len();
        let stream = places.len() / STREAMS;
        for at in 0..stream {
            let rows: [&[u8]; STREAMS] =
                std::array::from_fn(|quarter| row(coarse, places[quarter * stream + at], width));
            let four = multiply(simd, rows, low, high);
            four.iter()
                .enumerate()
                .for_each(|(quarter, product)| products[quarter * stream + at] = *product);
        }
        for at in STREAMS * stream..places.len() {
            [products[at]] = multiply(simd, [row(coarse, places[at], width)], low, high);
        }
    }
}

/// Codes are below 16 and bytes within 127 of zero, so that the 16-bit sums of four
/// products stay within 7,620 and nothing saturates.
#[inline(always)]
fn multiply<const ROWS: usize>(
    simd: V3,
    rows: [&[u8]; ROWS],
    low: &[i8],
    high: &[i8],
) -> [i32; ROWS] {
    let (avx, avx2) = (simd.avx, simd.avx2);
    let (nibble, one) = (avx._mm256_set1_epi8(15), avx._mm256_set1_epi16(1));
    let rows = rows.map(|row| row.as_chunks::<LANE>().0);
    let query = low.as_chunks::<LANE>().0.iter().zip(high.as_chunks::<LANE>().0);
    let mut sums = [__m256i::zeroed(); ROWS];
    for (at, (low, high)) in query.enumerate() {
        for (row, sum) in rows.iter().zip(&mut sums) {
            let codes: __m256i = cast(row[at]);
            let lows = avx2._mm256_and_si256(codes, nibble);
            let highs = avx2._mm256_and_si256(avx2._mm256_srli_epi16::<4>(codes), nibble);
            let products = avx2._mm256_add_epi16(
                avx2._mm256_maddubs_epi16(lows, cast(*low)),
                avx2._mm256_maddubs_epi16(highs, cast(*high)),
            );
            *sum = avx2._mm256_add_epi32(*sum, avx2._mm256_madd_epi16(products, one));
        }
    }
    sums.map(|sum| cast::<_, [i32; 8]>(sum).iter().sum())
}
