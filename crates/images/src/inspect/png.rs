//! PNG: a head, pixels and an end, in chunks; animated ones have a head for each frame.

use super::parts::{Parts, length};
use super::{Frames, Size, Unfit};

const SIGNATURE: usize = 8;
const HEAD: usize = 13;
const CHECKSUM: usize = 4;

pub(super) fn size(mut file: Parts<'_>) -> Result<Size, Unfit> {
    file.take(SIGNATURE)?;
    let (b"IHDR", mut head) = chunk(&mut file)? else { return Err(Unfit::Broken) };
    if head.0.len() != HEAD {
        return Err(Unfit::Broken);
    }
    let size = Size::new(head.big_32()?, head.big_32()?)?;
    let (mut frames, mut has_pixels) = (Frames::default(), false);
    loop {
        match chunk(&mut file)? {
            (b"IDAT", data) => has_pixels |= !data.is_empty(),
            (b"fcTL", data) => frames.add(frame(data, size)?)?,
            (b"IEND", _) if has_pixels => return Ok(size),
            (b"IEND", _) => return Err(Unfit::Broken),
            _ => {}
        }
    }
}

/// A frame lies within the picture.
fn frame(mut data: Parts<'_>, whole: Size) -> Result<Size, Unfit> {
    let _sequence = data.big_32()?;
    let size = Size::new(data.big_32()?, data.big_32()?)?;
    if whole.holds(size) { Ok(size) } else { Err(Unfit::Broken) }
}

fn chunk<'a>(file: &mut Parts<'a>) -> Result<(&'a [u8; 4], Parts<'a>), Unfit> {
    let count = length(file.big_32()?)?;
    let kind = file.take(4)?.first_chunk().ok_or(Unfit::Broken)?;
    let data = file.take(count)?;
    file.take(CHECKSUM)?;
    Ok((kind, Parts(data)))
}
