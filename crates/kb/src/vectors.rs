//! The vectors of one shard: a row for each passage, in the order of the passages.

use std::io;
use std::path::Path;

use tantivy::directory::OwnedBytes;

use crate::bitmap::Bitmap;

/// Writes a file of vectors, row after row.
#[derive(Debug)]
pub(crate) struct Writer(Vec<f32>, std::path::PathBuf);

impl Writer {
    pub(crate) fn create(path: &Path, _dim: usize) -> io::Result<Self> {
        Ok(Self(Vec::new(), path.to_owned()))
    }

    /// Adds a vector of unit length.
    pub(crate) fn push(&mut self, vector: &[f32]) -> io::Result<()> {
        self.0.extend_from_slice(vector);
        Ok(())
    }

    /// Makes the file durable.
    pub(crate) fn finish(self) -> io::Result<()> {
        std::fs::write(&self.1, bytemuck::cast_slice(&self.0))
    }
}

/// A file of vectors, open for search.
#[derive(Debug)]
pub(crate) struct Vectors {
    rows: Vec<f32>,
    dim: usize,
}

/// A row and how much it is like the query: the cosine of the two.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Near {
    pub(crate) row: u32,
    pub(crate) similarity: f32,
}

impl Vectors {
    /// Fails when the bytes are not what a [`Writer`] wrote for `rows` rows of `dim`.
    pub(crate) fn open(bytes: OwnedBytes, rows: u32, dim: usize) -> Result<Self, String> {
        if bytes.len() != rows as usize * dim * 4 {
            return Err(format!("expected {rows} vectors of {dim}, found {} bytes", bytes.len()));
        }
        Ok(Self { rows: bytes.chunks_exact(4).map(bytemuck::pod_read_unaligned).collect(), dim })
    }

    /// The rows of `allowed` most like the query, best first; ties go by row.
    pub(crate) fn nearest(&self, query: &[f32], allowed: &Bitmap, count: usize) -> Vec<Near> {
        let near = |row| Near { row, similarity: self.similarity(row, query) };
        let mut all: Vec<Near> = allowed.iter().map(near).collect();
        all.sort_by(|a, b| b.similarity.total_cmp(&a.similarity).then(a.row.cmp(&b.row)));
        all.truncate(count);
        all
    }

    /// How much one row is like the query.
    pub(crate) fn similarity(&self, row: u32, query: &[f32]) -> f32 {
        let start = row as usize * self.dim;
        self.rows[start..start + self.dim].iter().zip(query).map(|(a, b)| a * b).sum()
    }
}
