//! Products of rows and queries. Where the processor has AVX2, four rows are
//! multiplied together; elsewhere the compiler vectorises the loop.

use pulp::Arch;

use super::format::VectorBlock;
use super::query::{Estimate, Query};
use super::row::{FINE, VectorRow};

#[cfg(target_arch = "x86_64")]
mod avx2;

/// Rows that are read side by side. The processor fetches memory ahead by pages, one
/// stream for each: four streams are nearly twice as fast as one.
const STREAMS: usize = 4;

/// Rows that wait to be multiplied, so that the streams lie pages apart.
const WAITING: usize = 256 + 63;

/// Collects rows of a block and estimates them together.
pub(super) struct RowBatch<'a> {
    query: &'a Query,
    block: &'a VectorBlock<'a>,
    places: [u32; WAITING],
    waiting: usize,
}

impl<'a> RowBatch<'a> {
    pub(super) fn new(query: &'a Query, block: &'a VectorBlock<'a>) -> Self {
        Self { query, block, places: [0; WAITING], waiting: 0 }
    }

    /// Adds the rows of a word's bits, the first of which stands for the row at `start`.
    #[inline]
    pub(super) fn push(&mut self, start: u32, word: u64, found: &mut impl FnMut(u32, Estimate)) {
        let mut left = word;
        while left != 0 {
            self.places[self.waiting] = start + left.trailing_zeros();
            self.waiting += 1;
            left &= left - 1;
        }
        // A word has up to 64 rows: they must find room the next time.
        if self.waiting > WAITING - 64 {
            self.flush(found);
        }
    }

    /// Estimates the rows that wait.
    #[inline(never)]
    pub(super) fn flush(&mut self, found: &mut impl FnMut(u32, Estimate)) {
        let places = &self.places[..self.waiting];
        let mut products = [0; WAITING];
        multiply(self.query, self.block.coarse(), places, &mut products);
        for (place, product) in places.iter().zip(products) {
            found(*place, self.query.estimate(product, self.block.scale(*place)));
        }
        self.waiting = 0;
    }
}

/// The product of the query and each row of coarse codes.
fn multiply(query: &Query, coarse: &[u8], places: &[u32], products: &mut [i32]) {
    let (low, high) = query.bytes();
    #[cfg(target_arch = "x86_64")]
    if let Some(simd) = pulp::x86::V3::try_new() {
        return simd.vectorize(avx2::Multiply { simd, low, high, coarse, places, products });
    }
    Arch::new().dispatch(|| {
        for (place, product) in places.iter().zip(products) {
            *product = plain(row(coarse, *place, low.len()), low, high);
        }
    });
}

#[inline(always)]
fn row(coarse: &[u8], place: u32, width: usize) -> &[u8] {
    &coarse[place as usize * width..(place as usize + 1) * width]
}

#[inline(always)]
fn plain(row: &[u8], low: &[i8], high: &[i8]) -> i32 {
    let product = |code: u8, byte: i8| i32::from(code) * i32::from(byte);
    let lows: i32 = row.iter().zip(low).map(|(codes, byte)| product(codes & 15, *byte)).sum();
    let highs: i32 = row.iter().zip(high).map(|(codes, byte)| product(codes >> 4, *byte)).sum();
    lows + highs
}

/// How much a row is like the query, by all of its bits. The same on every machine:
/// the order in which columns are added up is fixed.
pub(super) fn similarity(row: &VectorRow<'_>, query: &[f32]) -> f32 {
    let width = row.coarse.len();
    let (low, high) = query.split_at(width.min(query.len()));
    let (fine_low, fine_high) = row.fine.split_at(width.min(row.fine.len()));
    let sum = Arch::new().dispatch(
        #[inline(always)]
        || {
            add_up(row.coarse, fine_low, low, |codes| codes & 15)
                + add_up(row.coarse, fine_high, high, |codes| codes >> 4)
        },
    );
    sum * row.scale / FINE
}

#[inline(always)]
fn add_up(coarse: &[u8], fine: &[i8], query: &[f32], half: impl Fn(u8) -> u8) -> f32 {
    const LANES: usize = 16;
    // Codes count from their middle, 7.5, in steps of which 254 make a code.
    let value = |coarse: u8, fine: i8| {
        f32::from((2 * i16::from(half(coarse)) - 15) * 127 + i16::from(fine))
    };
    let columns = coarse.len().min(fine.len()).min(query.len());
    let (coarse, coarse_end) = coarse[..columns].as_chunks::<LANES>();
    let (fine, fine_end) = fine[..columns].as_chunks::<LANES>();
    let (query, query_end) = query[..columns].as_chunks::<LANES>();
    let mut lanes = [0.0; LANES];
    for ((coarse, fine), query) in coarse.iter().zip(fine).zip(query) {
        for lane in 0..LANES {
            lanes[lane] += value(coarse[lane], fine[lane]) * query[lane];
        }
    }
    let end = coarse_end.iter().zip(fine_end).zip(query_end);
    let end: f32 = end.map(|((coarse, fine), query)| value(*coarse, *fine) * query).sum();
    lanes.iter().sum::<f32>() + end
}

#[cfg(test)]
#[path = "kernel_tests.rs"]
mod tests;
