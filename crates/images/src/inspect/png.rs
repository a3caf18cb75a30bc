//! PNG: a head, pixels and an end, in chunks; animated ones have a head for each frame.

use super::parts::{ByteReader, length};
use super::{Frames, ImageError, Size};

const SIGNATURE: usize = 8;
const HEAD: usize = 13;
const CHECKSUM: usize = 4;

pub(super) fn size(mut file: ByteReader<'_>) -> Result<Size, ImageError> {
    file.take(SIGNATURE)?;
    let (b"IHDR", mut head) = chunk(&mut file)? else { return Err(ImageError::Broken) };
    if head.0.len() != HEAD {
        return Err(ImageError::Broken);
    }
    let size = Size::new(head.big_32()?, head.big_32()?)?;
    let (mut frames, mut has_pixels) = (Frames::default(), false);
    loop {
        match chunk(&mut file)? {
            (b"IDAT", data) => has_pixels |= !data.is_empty(),
            (b"fcTL", data) => frames.add(frame(data, size)?)?,
            (b"IEND", _) if has_pixels => return Ok(size),
            (b"IEND", _) => return Err(ImageError::Broken),
            _ => {}
        }
    }
}

/// A frame lies within the picture.
fn frame(mut data: ByteReader<'_>, whole: Size) -> Result<Size, ImageError> {
    let _sequence = data.big_32()?;
    let size = Size::new(data.big_32()?, data.big_32()?)?;
    if whole.holds(size) { Ok(size) } else { Err(ImageError::Broken) }
}

fn chunk<'a>(file: &mut ByteReader<'a>) -> Result<(&'a [u8; 4], ByteReader<'a>), ImageError> {
    let count = length(file.big_32()?)?;
    let kind = file.take(4)?.first_chunk().ok_or(ImageError::Broken)?;
    let data = file.take(count)?;
    file.take(CHECKSUM)?;
    Ok((kind, ByteReader(data)))
}
