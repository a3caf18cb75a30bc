//! WebP: chunks in a RIFF file. The size is in the header of the pixels, and in an extended file
//! also before them; both must agree.

use super::parts::{ByteReader, length};
use super::{Frames, ImageError, Size};

const KEY_FRAME: &[u8] = &[0x9d, 0x01, 0x2a];
const LOSSLESS: u8 = 0x2f;
/// The bits of a side.
const SIDE: u32 = 0x3fff;

pub(super) fn size(mut file: ByteReader<'_>) -> Result<Size, ImageError> {
    file.take(4)?;
    let count = length(file.little_32()?)?;
    let mut chunks = ByteReader(file.take(count)?);
    chunks.take(4)?;
    match chunk(&mut chunks)? {
        (b"VP8X", head) => extended(head, chunks),
        (kind, data) => picture(kind, data)?.ok_or(ImageError::Broken),
    }
}

fn extended(mut head: ByteReader<'_>, mut chunks: ByteReader<'_>) -> Result<Size, ImageError> {
    head.take(4)?;
    let canvas = Size::new(head.little_24()? + 1, head.little_24()? + 1)?;
    let mut frames = Frames::default();
    while !chunks.is_empty() {
        let (kind, data) = chunk(&mut chunks)?;
        match kind {
            b"ANMF" => frames.add(frame(data, canvas)?)?,
            _ => match picture(kind, data)? {
                Some(size) if size == canvas => frames.add(size)?,
                Some(_) => return Err(ImageError::Broken),
                None => {}
            },
        }
    }
    if frames.is_empty() { Err(ImageError::Broken) } else { Ok(canvas) }
}

/// A frame of an animation: where it lies, and its pixels, which are as large as it says.
fn frame(mut data: ByteReader<'_>, canvas: Size) -> Result<Size, ImageError> {
    let (x, y) = (data.little_24()? * 2, data.little_24()? * 2);
    let size = Size::new(data.little_24()? + 1, data.little_24()? + 1)?;
    let _duration_and_flags = data.take(4)?;
    let reach = Size::new(x + size.width, y + size.height)?;
    while !data.is_empty() {
        let (kind, data) = chunk(&mut data)?;
        if let Some(found) = picture(kind, data)? {
            let fits = found == size && canvas.holds(reach);
            return if fits { Ok(size) } else { Err(ImageError::Broken) };
        }
    }
    Err(ImageError::Broken)
}

/// The size of the pixels in a chunk, if it has any.
fn picture(kind: &[u8; 4], mut data: ByteReader<'_>) -> Result<Option<Size>, ImageError> {
    match kind {
        b"VP8 " => {
            let tag = data.little_24()?;
            let is_key = tag & 1 == 0 && data.take(3)? == KEY_FRAME;
            let size = Size::new(data.little_16()? & SIDE, data.little_16()? & SIDE)?;
            let first_part = length(tag >> 5)?;
            let is_whole = is_key && first_part > 0 && first_part <= data.0.len();
            if is_whole { Ok(Some(size)) } else { Err(ImageError::Broken) }
        }
        b"VP8L" => {
            let is_lossless = data.byte()? == LOSSLESS;
            let bits = data.little_32()?;
            let size = Size::new((bits & SIDE) + 1, (bits >> 14 & SIDE) + 1)?;
            if is_lossless && !data.is_empty() { Ok(Some(size)) } else { Err(ImageError::Broken) }
        }
        _ => Ok(None),
    }
}

/// A chunk of an odd length has one byte more, which some writers leave out at the end.
fn chunk<'a>(chunks: &mut ByteReader<'a>) -> Result<(&'a [u8; 4], ByteReader<'a>), ImageError> {
    let kind = chunks.take(4)?.first_chunk().ok_or(ImageError::Broken)?;
    let count = length(chunks.little_32()?)?;
    let data = chunks.take(count)?;
    if count % 2 == 1 && !chunks.is_empty() {
        chunks.take(1)?;
    }
    Ok((kind, ByteReader(data)))
}
