//! Inspects the bytes of a file: its type and its size in pixels, read by walking its parts to the
//! end without decompressing any. A file is refused if it is no image of a known type, not whole, or
//! too large to be shown. The compressed pixels are not checked. Vector graphics are refused: they
//! can carry scripts.

mod gif;
mod jpeg;
mod parts;
mod png;
mod webp;

use std::fmt;

use self::parts::ByteReader;

/// The longest side that is shown, in pixels.
pub(crate) const LONGEST_SIDE: u32 = 8192;
/// The most pixels: a viewer holds them in memory, four bytes each.
pub(crate) const MOST_PIXELS: u64 = 32 << 20;
/// The most pixels of all frames of an animation together.
pub(crate) const MOST_FRAME_PIXELS: u64 = 8 * MOST_PIXELS;

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

/// The type and size of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ImageFacts {
    pub kind: ImageKind,
    pub width: u32,
    pub height: u32,
}

/// Why a file is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ImageError {
    /// Markup: a page, or a vector graphic.
    Markup,
    Unknown,
    /// It is truncated or inconsistent.
    Broken,
    TooLarge {
        width: u32,
        height: u32,
    },
    /// Too many frames or passes for the memory or time of a viewer.
    TooMuch,
}

impl fmt::Display for ImageError {
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
            Self::TooMuch => write!(
                f,
                "expected frames of at most {MOST_FRAME_PIXELS} pixels in all, drawn in few passes, found more"
            ),
        }
    }
}

impl std::error::Error for ImageError {}

/// Inspects a file.
pub fn inspect(bytes: &[u8]) -> Result<ImageFacts, ImageError> {
    let file = ByteReader(bytes);
    let (kind, size) = if bytes.starts_with(b"\x89PNG\r\n\x1a\n") {
        (ImageKind::Png, png::size(file))
    } else if bytes.starts_with(&[0xff, 0xd8, 0xff]) {
        (ImageKind::Jpeg, jpeg::size(file))
    } else if bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WEBP") {
        (ImageKind::Webp, webp::size(file))
    } else if bytes.starts_with(b"GIF87a") || bytes.starts_with(b"GIF89a") {
        (ImageKind::Gif, gif::size(file))
    } else if is_markup(bytes) {
        return Err(ImageError::Markup);
    } else {
        return Err(ImageError::Unknown);
    };
    let Size { width, height } = size?;
    Ok(ImageFacts { kind, width, height })
}

/// Whether a text begins with a tag, after optional white space.
fn is_markup(bytes: &[u8]) -> bool {
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    text.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'<')
}

/// A size that may be shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Size {
    width: u32,
    height: u32,
}

impl Size {
    fn new(width: u32, height: u32) -> Result<Self, ImageError> {
        let size = Self { width, height };
        if width == 0 || height == 0 {
            return Err(ImageError::Broken);
        }
        match width.max(height) > LONGEST_SIDE || size.pixels() > MOST_PIXELS {
            true => Err(ImageError::TooLarge { width, height }),
            false => Ok(size),
        }
    }

    fn pixels(self) -> u64 {
        u64::from(self.width) * u64::from(self.height)
    }

    fn holds(self, other: Self) -> bool {
        other.width <= self.width && other.height <= self.height
    }
}

/// The frames of a file that were read so far.
#[derive(Debug, Default)]
struct Frames {
    pixels: u64,
}

impl Frames {
    fn add(&mut self, size: Size) -> Result<(), ImageError> {
        self.pixels = self.pixels.saturating_add(size.pixels());
        match self.pixels > MOST_FRAME_PIXELS {
            true => Err(ImageError::TooMuch),
            false => Ok(()),
        }
    }

    fn is_empty(&self) -> bool {
        self.pixels == 0
    }
}

#[cfg(test)]
#[path = "inspect_tests.rs"]
mod tests;
