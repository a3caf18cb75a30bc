//! What a file is, by its bytes: its type and its size in pixels, read from the head without
//! decoding anything. What is no image of a known type, or too large to be shown, is unfit.
//! Vector graphics are refused: they can carry scripts.

use std::fmt;

/// The longest side that is shown, in pixels.
pub(crate) const LONGEST_SIDE: u32 = 8192;
/// The most pixels: what a viewer has to hold in memory, four bytes each.
pub(crate) const MOST_PIXELS: u64 = 32 << 20;

/// The types of images we keep and show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ImageKind {
    Png,
    Jpeg,
    Webp,
    Gif,
}

impl ImageKind {
    pub const ALL: [Self; 4] = [Self::Png, Self::Jpeg, Self::Webp, Self::Gif];

    pub const fn content_type(self) -> &'static str {
        match self {
            Self::Png => "image/png",
            Self::Jpeg => "image/jpeg",
            Self::Webp => "image/webp",
            Self::Gif => "image/gif",
        }
    }

    pub(crate) const fn extension(self) -> &'static str {
        match self {
            Self::Png => "png",
            Self::Jpeg => "jpg",
            Self::Webp => "webp",
            Self::Gif => "gif",
        }
    }

    pub(crate) fn of_content_type(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.content_type() == text)
    }
}

/// What a file turned out to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Inspected {
    pub kind: ImageKind,
    pub width: u32,
    pub height: u32,
}

/// Why a file is not taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unfit {
    /// Markup: a page, or a vector graphic.
    Markup,
    Unknown,
    /// It ends in the middle, or says what cannot be.
    Broken,
    TooLarge {
        width: u32,
        height: u32,
    },
}

impl fmt::Display for Unfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Markup => f.write_str("expected an image, found markup (a page or an SVG)"),
            Self::Unknown => {
                f.write_str("expected a PNG, JPEG, WebP or GIF image, found something else")
            }
            Self::Broken => f.write_str("expected a whole image, found a damaged one"),
            Self::TooLarge { width, height } => write!(
                f,
                "expected an image of at most {LONGEST_SIDE} pixels a side and {MOST_PIXELS} in all, found {width}x{height}"
            ),
        }
    }
}

impl std::error::Error for Unfit {}

/// Tells what a file is.
pub fn inspect(bytes: &[u8]) -> Result<Inspected, Unfit> {
    let (kind, size) = if bytes.starts_with(b"\x89PNG\r\n\x1a\n") {
        (ImageKind::Png, png(bytes))
    } else if bytes.starts_with(&[0xff, 0xd8, 0xff]) {
        (ImageKind::Jpeg, jpeg(bytes))
    } else if bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WEBP") {
        (ImageKind::Webp, webp(bytes))
    } else if bytes.starts_with(b"GIF87a") || bytes.starts_with(b"GIF89a") {
        (ImageKind::Gif, little(bytes, 6).zip(little(bytes, 8)))
    } else if is_markup(bytes) {
        return Err(Unfit::Markup);
    } else {
        return Err(Unfit::Unknown);
    };
    let (width, height) =
        size.filter(|(width, height)| *width > 0 && *height > 0).ok_or(Unfit::Broken)?;
    let too_large =
        width.max(height) > LONGEST_SIDE || u64::from(width) * u64::from(height) > MOST_PIXELS;
    if too_large {
        Err(Unfit::TooLarge { width, height })
    } else {
        Ok(Inspected { kind, width, height })
    }
}

/// Text that begins with a tag, whatever blanks stand before it.
fn is_markup(bytes: &[u8]) -> bool {
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    text.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'<')
}

/// The head comes first, and the last chunk has to be there.
fn png(bytes: &[u8]) -> Option<(u32, u32)> {
    if bytes.get(12..16)? != b"IHDR" {
        return None;
    }
    let size = (big(bytes, 16)?, big(bytes, 20)?);
    let mut at = 8_usize;
    loop {
        let length = usize::try_from(big(bytes, at)?).ok()?;
        let kind = bytes.get(at + 4..at + 8)?;
        at = at.checked_add(12)?.checked_add(length)?;
        if at > bytes.len() {
            return None;
        }
        if kind == b"IEND" {
            return Some(size);
        }
    }
}

/// Walks the segments to the one that has the size.
fn jpeg(bytes: &[u8]) -> Option<(u32, u32)> {
    let mut at = 2_usize;
    loop {
        if *bytes.get(at)? != 0xff {
            return None;
        }
        let marker = *bytes.get(at + 1)?;
        match marker {
            0xff => at += 1,
            0xc0..=0xcf if !matches!(marker, 0xc4 | 0xc8 | 0xcc) => {
                let side = |at: usize| {
                    Some(u32::from(u16::from_be_bytes([*bytes.get(at)?, *bytes.get(at + 1)?])))
                };
                return Some((side(at + 7)?, side(at + 5)?));
            }
            0x01 | 0xd0..=0xd8 => at += 2,
            0xd9 | 0xda => return None,
            _ => {
                let length = u16::from_be_bytes([*bytes.get(at + 2)?, *bytes.get(at + 3)?]);
                at = at.checked_add(2)?.checked_add(usize::from(length.max(2)))?;
            }
        }
    }
}

fn webp(bytes: &[u8]) -> Option<(u32, u32)> {
    let three = |at: usize| {
        let part = bytes.get(at..at + 3)?;
        Some(u32::from_le_bytes([part[0], part[1], part[2], 0]))
    };
    match bytes.get(12..16)? {
        b"VP8X" => Some((three(24)? + 1, three(27)? + 1)),
        b"VP8 " => Some((little(bytes, 26)? & 0x3fff, little(bytes, 28)? & 0x3fff)),
        b"VP8L" => {
            let part = bytes.get(21..25)?;
            let bits = u32::from_le_bytes([part[0], part[1], part[2], part[3]]);
            Some(((bits & 0x3fff) + 1, (bits >> 14 & 0x3fff) + 1))
        }
        _ => None,
    }
}

fn big(bytes: &[u8], at: usize) -> Option<u32> {
    let part = bytes.get(at..at.checked_add(4)?)?;
    Some(u32::from_be_bytes([part[0], part[1], part[2], part[3]]))
}

fn little(bytes: &[u8], at: usize) -> Option<u32> {
    let part = bytes.get(at..at + 2)?;
    Some(u32::from(u16::from_le_bytes([part[0], part[1]])))
}

#[cfg(test)]
#[path = "inspect_tests.rs"]
mod tests;
