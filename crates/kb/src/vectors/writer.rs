//! Writes a file of vectors block by block.

use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};
use std::path::Path;

use super::format::{BLOCK, HEADER, Layout};
use super::rotation::rotate;
use super::row;

/// Writes a file of vectors, row after row. Until it is finished, the file has no
/// header and cannot be opened. Holds one block at a time.
#[derive(Debug)]
pub(crate) struct VectorWriter {
    file: File,
    dim: usize,
    rows: u32,
    rotated: Vec<f32>,
    scales: Vec<u8>,
    coarse: Vec<u8>,
    fine: Vec<i8>,
}

impl VectorWriter {
    pub(crate) fn create(path: &Path, dim: usize) -> io::Result<Self> {
        if !(1..=1 << 20).contains(&dim) {
            return Err(invalid(format!("expected vectors of 1 to 1048576 columns, found {dim}")));
        }
        let mut file = File::create(path)?;
        file.write_all(&[0; HEADER])?;
        let (rotated, scales, coarse, fine) = Default::default();
        Ok(Self { file, dim, rows: 0, rotated, scales, coarse, fine })
    }

    /// Adds a vector of unit length, or zero.
    pub(crate) fn push(&mut self, vector: &[f32]) -> io::Result<()> {
        if vector.len() != self.dim {
            let (dim, found) = (self.dim, vector.len());
            return Err(invalid(format!("expected a vector of {dim} columns, found {found}")));
        }
        if let Some(value) = vector.iter().find(|value| !value.is_finite()) {
            return Err(invalid(format!("expected a vector of finite numbers, found {value}")));
        }
        let rows = self.rows.checked_add(1);
        let rows =
            rows.ok_or_else(|| invalid("expected at most 4294967295 vectors in a file".into()))?;
        let width = Layout::new(rows, self.dim).coarse();
        self.rotated.clear();
        self.rotated.extend_from_slice(vector);
        rotate(&mut self.rotated);
        let scale = row::encode(&self.rotated, width, &mut self.coarse, &mut self.fine);
        self.scales.extend_from_slice(&scale.to_le_bytes());
        self.rows = rows;
        if self.rows.is_multiple_of(BLOCK) { self.write_block() } else { Ok(()) }
    }

    /// Makes the file durable.
    pub(crate) fn finish(mut self) -> io::Result<()> {
        self.write_block()?;
        self.file.seek(SeekFrom::Start(0))?;
        self.file.write_all(&Layout::new(self.rows, self.dim).header())?;
        self.file.sync_all()
    }

    fn write_block(&mut self) -> io::Result<()> {
        self.file.write_all(&self.scales)?;
        self.file.write_all(&self.coarse)?;
        self.file.write_all(bytemuck::cast_slice(&self.fine))?;
        self.scales.clear();
        self.coarse.clear();
        self.fine.clear();
        Ok(())
    }
}

fn invalid(message: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, message)
}
