//! WebP: chunks in a RIFF file. The size stands in the pixels' own head, and in an extended file
//! also before them; both have to agree.

use super::parts::{Parts, length};
use super::{Frames, Size, Unfit};

const KEY_FRAME: &[u8] = &[0x9d, 0x01, 0x2a];
const LOSSLESS: u8 = 0x2f;
/// The bits of a side.
const SIDE: u32 = 0x3fff;

pub(super) fn size(mut file: Parts<'_>) -> Result<Size, Unfit> {
    file.take(4)?;
    let count = length(file.little_32()?)?;
    let mut chunks = Parts(file.take(count)?);
    chunks.take(4)?;
    match chunk(&mut chunks)? {
        (b"VP8X", head) => extended(head, chunks),
        (kind, data) => picture(kind, data)?.ok_or(Unfit::Broken),
    }
}

fn extended(mut head: Parts<'_>, mut chunks: Parts<'_>) -> Result<Size, Unfit> {
    head.take(4)?;
    let canvas = Size::new(head.little_24()? + 1, head.little_24()? + 1)?;
    let mut frames = Frames::default();
    while !chunks.is_empty() {
        let (kind, data) = chunk(&mut chunks)?;
        match kind {
            b"ANMF" => frames.add(frame(data, canvas)?)?,
            _ => match picture(kind, data)? {
                Some(size) if size == canvas => frames.add(size)?,
                Some(_) => return Err(Unfit::Broken),
                None => {}
            },
        }
    }
    if frames.is_empty() { Err(Unfit::Broken) } else { Ok(canvas) }
}

/// A frame of an animation: where it lies, and its pixels, which are as large as it says.
fn frame(mut data: Parts<'_>, canvas: Size) -> Result<Size, Unfit> {
    let (x, y) = (data.little_24()? * 2, data.little_24()? * 2);
    let size = Size::new(data.little_24()? + 1, data.little_24()? + 1)?;
    let _duration_and_flags = data.take(4)?;
    let reach = Size::new(x + size.width, y + size.height)?;
    while !data.is_empty() {
        let (kind, data) = chunk(&mut data)?;
        if let Some(found) = picture(kind, data)? {
            let fits = found == size && canvas.holds(reach);
            return if fits { Ok(size) } else { Err(Unfit::Broken) };
        }
    }
    Err(Unfit::Broken)
}

/// The size of the pixels in a chunk, if it has any.
fn picture(kind: &[u8; 4], mut data: Parts<'_>) -> Result<Option<Size>, Unfit> {
    match kind {
        b"VP8 " => {
            let tag = data.little_24()?;
            let is_key = tag & 1 == 0 && data.take(3)? == KEY_FRAME;
            let size = Size::new(data.little_16()? & SIDE, data.little_16()? & SIDE)?;
            let first_part = length(tag >> 5)?;
            let is_whole = is_key && first_part > 0 && first_part <= data.0.len();
            if is_whole { Ok(Some(size)) } else { Err(Unfit::Broken) }
        }
        b"VP8L" => {
            let is_lossless = data.byte()? == LOSSLESS;
            let bits = data.little_32()?;
            let size = Size::new((bits & SIDE) + 1, (bits >> 14 & SIDE) + 1)?;
            if is_lossless && !data.is_empty() { Ok(Some(size)) } else { Err(Unfit::Broken) }
        }
        _ => Ok(None),
    }
}

/// A chunk of an odd length has one byte more, which some writers leave out at the end.
fn chunk<'a>(chunks: &mut Parts<'a>) -> Result<(&'a [u8; 4], Parts<'a>), Unfit> {
    let kind = chunks.take(4)?.first_chunk().ok_or(Unfit::Broken)?;
    let count = length(chunks.little_32()?)?;
    let data = chunks.take(count)?;
    if count % 2 == 1 && !chunks.is_empty() {
        chunks.take(1)?;
    }
    Ok((kind, Parts(data)))
}
