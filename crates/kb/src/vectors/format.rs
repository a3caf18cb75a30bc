//! Where the bytes of a row are in a file of vectors.
//!
//! A header, then blocks of [`BLOCK`] rows, the last one shorter. A block has the
//! scales of its rows, their coarse codes, their fine codes, each part row after
//! row: a search reads scales and coarse codes of all rows, fine codes of few.
//! Numbers are little endian. Nothing is aligned, because a mapped file need not be.

use super::row::VectorRow;

/// Rows that are written together and searched together.
pub(super) const BLOCK: u32 = 4096;

/// Coarse codes are a multiple of this many bytes, so that kernels have no odd end.
pub(super) const LANE: usize = 32;

pub(super) const HEADER: usize = 32;
const MAGIC: [u8; 8] = *b"AILERONV";
const VERSION: u32 = 1;
const SCALE: usize = size_of::<f32>();

/// The shape of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Layout {
    rows: u32,
    dim: usize,
}

/// The rows of a block, as they lie in the file.
#[derive(Debug, Clone, Copy)]
pub(super) struct VectorBlock<'a> {
    scales: &'a [u8],
    coarse: &'a [u8],
    fine: &'a [i8],
    layout: Layout,
}

impl Layout {
    pub(super) fn new(rows: u32, dim: usize) -> Self {
        Self { rows, dim }
    }

    pub(super) fn rows(&self) -> u32 {
        self.rows
    }

    pub(super) fn dim(&self) -> usize {
        self.dim
    }

    /// Bytes of a row's coarse codes: two columns in each.
    pub(super) fn coarse(&self) -> usize {
        self.dim.div_ceil(2).next_multiple_of(LANE)
    }

    fn row_bytes(&self) -> usize {
        SCALE + self.coarse() + self.dim
    }

    pub(super) fn header(&self) -> [u8; HEADER] {
        let mut header = [0; HEADER];
        header[..8].copy_from_slice(&MAGIC);
        let numbers = [VERSION, self.dim as u32, self.rows, BLOCK];
        for (place, number) in header[8..].chunks_exact_mut(4).zip(numbers) {
            place.copy_from_slice(&number.to_le_bytes());
        }
        header
    }

    /// The dimensions in the header of a complete file, checked against its size.
    pub(super) fn read(bytes: &[u8]) -> Result<Self, String> {
        let Some(header) = bytes.first_chunk::<HEADER>().filter(|header| header[..8] == MAGIC)
        else {
            return Err(
                "expected a file of vectors, found something else: rebuild the index".into()
            );
        };
        let number = |at: usize| {
            u32::from_le_bytes([header[at], header[at + 1], header[at + 2], header[at + 3]])
        };
        let (version, dim, rows, block) = (number(8), number(12), number(16), number(20));
        if (version, block) != (VERSION, BLOCK) {
            return Err(format!(
                "expected vectors of version {VERSION} in blocks of {BLOCK}, \
                 found version {version} in blocks of {block}: rebuild the index"
            ));
        }
        let layout = Self::new(rows, dim as usize);
        let expected =
            (layout.row_bytes() as u64).saturating_mul(rows.into()).saturating_add(HEADER as u64);
        if dim == 0 || expected != bytes.len() as u64 {
            let found = bytes.len();
            return Err(format!(
                "expected {expected} bytes for {rows} vectors of {dim} columns, found {found}: rebuild the index"
            ));
        }
        Ok(layout)
    }

    /// The block with the given number.
    pub(super) fn block<'a>(&self, bytes: &'a [u8], block: u32) -> VectorBlock<'a> {
        let first = block * BLOCK;
        let rows = BLOCK.min(self.rows - first) as usize;
        let bytes = &bytes[HEADER + first as usize * self.row_bytes()..];
        let (scales, bytes) = bytes.split_at(rows * SCALE);
        let (coarse, bytes) = bytes.split_at(rows * self.coarse());
        let fine = bytemuck::cast_slice(&bytes[..rows * self.dim]);
        VectorBlock { scales, coarse, fine, layout: *self }
    }

    /// The block of a row, and the row's place in it.
    pub(super) fn block_of<'a>(&self, bytes: &'a [u8], row: u32) -> (VectorBlock<'a>, u32) {
        (self.block(bytes, row / BLOCK), row % BLOCK)
    }
}

impl<'a> VectorBlock<'a> {
    pub(super) fn rows(&self) -> u32 {
        (self.scales.len() / SCALE) as u32
    }

    /// The coarse codes of all rows, one after the other.
    pub(super) fn coarse(&self) -> &'a [u8] {
        self.coarse
    }

    pub(super) fn scale(&self, place: u32) -> f32 {
        let at = place as usize * SCALE;
        f32::from_bits(u32::from_le(bytemuck::pod_read_unaligned(&self.scales[at..at + SCALE])))
    }

    pub(super) fn row(&self, place: u32) -> VectorRow<'a> {
        let (place, coarse, dim) = (place as usize, self.layout.coarse(), self.layout.dim);
        VectorRow {
            scale: self.scale(place as u32),
            coarse: &self.coarse[place * coarse..(place + 1) * coarse],
            fine: &self.fine[place * dim..(place + 1) * dim],
        }
    }
}
