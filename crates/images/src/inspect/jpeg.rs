//! JPEG: segments, one of which has the size, and scans with the pixels, to the end mark.

use super::parts::{ByteReader, length};
use super::{ImageError, Size};

/// Each scan of a progressive picture passes over all of it; usual files have about ten.
const MOST_SCANS: usize = 100;

/// A mark that stands alone, without a length.
const ALONE: [u8; 9] = [0x01, 0xd0, 0xd1, 0xd2, 0xd3, 0xd4, 0xd5, 0xd6, 0xd7];
const START: u8 = 0xd8;
const END: u8 = 0xd9;
const SCAN: u8 = 0xda;

pub(super) fn size(mut file: ByteReader<'_>) -> Result<Size, ImageError> {
    file.take(2)?;
    let (mut size, mut scans) = (None, 0);
    loop {
        match mark(&mut file)? {
            END if scans > 0 => return size.ok_or(ImageError::Broken),
            END | START => return Err(ImageError::Broken),
            marker if ALONE.contains(&marker) => {}
            SCAN if size.is_none() => return Err(ImageError::Broken),
            SCAN => {
                segment(&mut file)?;
                pixels(&mut file)?;
                scans += 1;
                if scans > MOST_SCANS {
                    return Err(ImageError::TooMuch);
                }
            }
            marker => {
                let found = segment(&mut file)?;
                if is_frame(marker) && size.replace(frame(found)?).is_some() {
                    return Err(ImageError::Broken);
                }
            }
        }
    }
}

fn is_frame(marker: u8) -> bool {
    matches!(marker, 0xc0..=0xcf) && !matches!(marker, 0xc4 | 0xc8 | 0xcc)
}

fn frame(mut segment: ByteReader<'_>) -> Result<Size, ImageError> {
    let _precision = segment.byte()?;
    let (height, width) = (segment.big_16()?, segment.big_16()?);
    Size::new(width, height)
}

/// The next mark; any number of fill bytes may stand before it.
fn mark(file: &mut ByteReader<'_>) -> Result<u8, ImageError> {
    if file.byte()? != 0xff {
        return Err(ImageError::Broken);
    }
    loop {
        match file.byte()? {
            0xff => {}
            marker => return Ok(marker),
        }
    }
}

fn segment<'a>(file: &mut ByteReader<'a>) -> Result<ByteReader<'a>, ImageError> {
    let count = length(file.big_16()?)?.checked_sub(2).ok_or(ImageError::Broken)?;
    file.take(count).map(ByteReader)
}

/// Passes the packed pixels of a scan, up to the mark after them.
fn pixels(file: &mut ByteReader<'_>) -> Result<(), ImageError> {
    let is_mark = |pair: &[u8]| pair[0] == 0xff && !matches!(pair[1], 0x00 | 0xd0..=0xd7 | 0xff);
    match file.0.windows(2).position(is_mark) {
        None | Some(0) => Err(ImageError::Broken),
        Some(end) => file.take(end).map(|_| ()),
    }
}
