//! The unread rest of a file. If it ends too early, the file is broken.

use super::ImageError;

/// Bytes that were not read yet.
#[derive(Debug, Clone, Copy)]
pub(super) struct ByteReader<'a>(pub(super) &'a [u8]);

impl<'a> ByteReader<'a> {
    pub(super) fn is_empty(self) -> bool {
        self.0.is_empty()
    }

    /// The next `count` bytes.
    pub(super) fn take(&mut self, count: usize) -> Result<&'a [u8], ImageError> {
        let (taken, rest) = self.0.split_at_checked(count).ok_or(ImageError::Broken)?;
        self.0 = rest;
        Ok(taken)
    }

    pub(super) fn byte(&mut self) -> Result<u8, ImageError> {
        self.array().map(|[byte]| byte)
    }

    pub(super) fn big_16(&mut self) -> Result<u32, ImageError> {
        self.array().map(|bytes| u32::from(u16::from_be_bytes(bytes)))
    }

    pub(super) fn big_32(&mut self) -> Result<u32, ImageError> {
        self.array().map(u32::from_be_bytes)
    }

    pub(super) fn little_16(&mut self) -> Result<u32, ImageError> {
        self.array().map(|bytes| u32::from(u16::from_le_bytes(bytes)))
    }

    pub(super) fn little_24(&mut self) -> Result<u32, ImageError> {
        self.array().map(|[low, middle, high]| u32::from_le_bytes([low, middle, high, 0]))
    }

    pub(super) fn little_32(&mut self) -> Result<u32, ImageError> {
        self.array().map(u32::from_le_bytes)
    }

    pub(super) fn array<const N: usize>(&mut self) -> Result<[u8; N], ImageError> {
        let (taken, rest) = self.0.split_first_chunk().ok_or(ImageError::Broken)?;
        self.0 = rest;
        Ok(*taken)
    }
}

/// A length field of a file.
pub(super) fn length(told: u32) -> Result<usize, ImageError> {
    usize::try_from(told).map_err(|_| ImageError::Broken)
}
