//! The statistics of tokens as a file: how many passages, then a count for each token.

use std::io;
use std::path::Path;

use super::files::write_durably;
use crate::embed::TokenStatistics;

pub(super) fn write(path: &Path, statistics: &TokenStatistics) -> io::Result<()> {
    let mut bytes = statistics.passages.to_le_bytes().to_vec();
    bytes.extend(statistics.frequencies.iter().flat_map(|count| count.to_le_bytes()));
    write_durably(path, &bytes)
}

pub(super) fn read(path: &Path) -> io::Result<TokenStatistics> {
    let bytes = std::fs::read(path)?;
    let (passages, counts) = bytes.split_first_chunk::<8>().ok_or_else(|| cut(&bytes))?;
    let (counts, rest) = counts.as_chunks::<4>();
    if !rest.is_empty() {
        return Err(cut(&bytes));
    }
    let frequencies = counts.iter().map(|count| u32::from_le_bytes(*count)).collect();
    Ok(TokenStatistics { passages: u64::from_le_bytes(*passages), frequencies })
}

fn cut(bytes: &[u8]) -> io::Error {
    let message = format!("expected whole counts of tokens, found {} bytes", bytes.len());
    io::Error::new(io::ErrorKind::InvalidData, message)
}
