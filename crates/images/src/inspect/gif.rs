//! GIF: a screen and the frames on it, to the trailer. A frame may be larger than the screen; a
//! viewer makes room for it.

use super::parts::ByteReader;
use super::{Frames, ImageError, Size};

const SIGNATURE: usize = 6;
/// The colour of the background, and the shape of a pixel.
const REST_OF_SCREEN: usize = 2;

const EXTENSION: u8 = 0x21;
const FRAME: u8 = 0x2c;
const TRAILER: u8 = 0x3b;

pub(super) fn size(mut file: ByteReader<'_>) -> Result<Size, ImageError> {
    file.take(SIGNATURE)?;
    let mut screen = Size::new(file.little_16()?, file.little_16()?)?;
    let packed = file.byte()?;
    file.take(REST_OF_SCREEN)?;
    colours(&mut file, packed)?;
    let mut frames = Frames::default();
    loop {
        match file.byte()? {
            EXTENSION => {
                file.byte()?;
                blocks(&mut file)?;
            }
            FRAME => screen = frame(&mut file, screen, &mut frames)?,
            TRAILER if !frames.is_empty() => return Ok(screen),
            _ => return Err(ImageError::Broken),
        }
    }
}

/// Reads a frame, and returns the screen size enlarged to contain it.
fn frame(file: &mut ByteReader<'_>, screen: Size, frames: &mut Frames) -> Result<Size, ImageError> {
    let (left, top) = (file.little_16()?, file.little_16()?);
    let size = Size::new(file.little_16()?, file.little_16()?)?;
    frames.add(size)?;
    let packed = file.byte()?;
    colours(file, packed)?;
    let _code_size = file.byte()?;
    if blocks(file)? == 0 {
        return Err(ImageError::Broken);
    }
    Size::new(screen.width.max(left + size.width), screen.height.max(top + size.height))
}

/// A table of colours, if there is one.
fn colours(file: &mut ByteReader<'_>, packed: u8) -> Result<(), ImageError> {
    match packed & 0x80 {
        0 => Ok(()),
        _ => file.take(3 << ((packed & 7) + 1)).map(|_| ()),
    }
}

/// Blocks up to the empty one; how many bytes they hold.
fn blocks(file: &mut ByteReader<'_>) -> Result<usize, ImageError> {
    let mut count = 0;
    loop {
        match usize::from(file.byte()?) {
            0 => return Ok(count),
            length => count += file.take(length)?.len(),
        }
    }
}
