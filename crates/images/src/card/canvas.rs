//! Pixels: a gradient, circles, a bar, text, and the file they become.

use noto_sans_mono_bitmap::{RasterizedChar, get_raster};

use super::layout::{SIZE, WEIGHT};

/// Red, green and blue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Colour(pub(super) u8, pub(super) u8, pub(super) u8);

impl Colour {
    /// A muted colour of this hue (0 to 359) and lightness (percent of the brightest channel).
    pub(super) fn of_hue(hue: u32, light: u32) -> Self {
        let most = light * 255 / 100;
        let least = most * 45 / 100;
        let part = (hue % 60) * (most - least) / 60;
        let (rising, falling) = (least + part, most - part);
        let (r, g, b) = match hue / 60 {
            0 => (most, rising, least),
            1 => (falling, most, least),
            2 => (least, most, rising),
            3 => (least, falling, most),
            4 => (rising, least, most),
            _ => (most, least, falling),
        };
        let byte = |value: u32| u8::try_from(value).unwrap_or(u8::MAX);
        Self(byte(r), byte(g), byte(b))
    }

    /// This colour blended with another one, by `amount` of 255.
    fn under(self, over: Self, amount: u32) -> Self {
        let mix = |below: u8, above: u8| {
            let mixed = (u32::from(below) * (255 - amount) + u32::from(above) * amount) / 255;
            u8::try_from(mixed).unwrap_or(u8::MAX)
        };
        Self(mix(self.0, over.0), mix(self.1, over.1), mix(self.2, over.2))
    }
}

/// An image being drawn.
pub(super) struct Canvas {
    width: u32,
    height: u32,
    pixels: Vec<Colour>,
}

impl Canvas {
    pub(super) fn new(width: u32, height: u32) -> Self {
        let count = usize::try_from(u64::from(width) * u64::from(height)).unwrap_or_default();
        Self { width, height, pixels: vec![Colour(0, 0, 0); count] }
    }

    /// From one colour at the top left to another at the bottom right.
    pub(super) fn gradient(&mut self, from: Colour, to: Colour) {
        let most = (self.width + self.height).max(1);
        for y in 0..self.height {
            for x in 0..self.width {
                self.paint(x, y, from.under(to, (x + y) * 255 / most), 255);
            }
        }
    }

    /// Thin circles around a point, which may lie outside.
    pub(super) fn rings(&mut self, (middle, radii): ((u32, u32), Vec<u32>), colour: Colour) {
        let (cx, cy) = (f64::from(middle.0), f64::from(middle.1));
        let reach = radii.iter().max().map_or(0, |radius| radius + 2);
        for y in middle.1.saturating_sub(reach)..self.height.min(middle.1 + reach) {
            for x in middle.0.saturating_sub(reach)..self.width.min(middle.0 + reach) {
                let distance = (f64::from(x) - cx).hypot(f64::from(y) - cy);
                let near = radii.iter().map(|radius| (distance - f64::from(*radius)).abs());
                let nearest = near.fold(f64::MAX, f64::min);
                if nearest < 2.0 {
                    // Softer towards the rim of the line.
                    self.paint(x, y, colour, (70.0 * (2.0 - nearest) / 2.0) as u32);
                }
            }
        }
    }

    pub(super) fn bar(&mut self, (x, y, width, height): (u32, u32, u32, u32), colour: Colour) {
        for row in y..y + height {
            for column in x..x + width {
                self.paint(column, row, colour, 230);
            }
        }
    }

    /// A line of text whose top left corner is there.
    pub(super) fn text(&mut self, text: &str, (x, y): (u32, u32), scale: u32, colour: Colour) {
        let mut left = x;
        for letter in text.chars() {
            let raster = get_raster(letter, WEIGHT, SIZE).or_else(|| get_raster('?', WEIGHT, SIZE));
            let Some(raster) = raster else { continue };
            self.letter(&raster, (left, y), scale, colour);
            left += u32::try_from(raster.width()).unwrap_or_default() * scale / 100;
        }
    }

    fn letter(&mut self, raster: &RasterizedChar, (x, y): (u32, u32), scale: u32, colour: Colour) {
        let side = |pixels: usize| u32::try_from(pixels).unwrap_or_default() * scale / 100;
        for row in 0..side(raster.height()) {
            for column in 0..side(raster.width()) {
                let amount = sample(raster, column, row, scale);
                if amount > 0 {
                    self.paint(x + column, y + row, colour, amount);
                }
            }
        }
    }

    fn paint(&mut self, x: u32, y: u32, colour: Colour, amount: u32) {
        if x >= self.width || y >= self.height {
            return;
        }
        let at = usize::try_from(u64::from(y) * u64::from(self.width) + u64::from(x));
        if let Some(pixel) = at.ok().and_then(|at| self.pixels.get_mut(at)) {
            *pixel = pixel.under(colour, amount.min(255));
        }
    }

    /// The image as a PNG file with a description in it.
    pub(super) fn png(&self, description: &str) -> Result<Vec<u8>, png::EncodingError> {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, self.width, self.height);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.add_text_chunk("Software".to_owned(), "Aileron".to_owned())?;
        encoder.add_text_chunk("Description".to_owned(), description.to_owned())?;
        let mut writer = encoder.write_header()?;
        let data: Vec<u8> = self.pixels.iter().flat_map(|it| [it.0, it.1, it.2]).collect();
        writer.write_image_data(&data)?;
        writer.finish()?;
        Ok(bytes)
    }
}

/// Whether the font has this character; it draws a question mark for others.
pub(super) fn has_glyph(letter: char) -> bool {
    get_raster(letter, WEIGHT, SIZE).is_some()
}

/// The coverage at a point of the enlarged letter, interpolated between four dots.
fn sample(raster: &RasterizedChar, column: u32, row: u32, scale: u32) -> u32 {
    // In 256ths of a dot, relative to the centre of a dot.
    let place = |at: u32| (i64::from(at) * 2 + 1) * 12_800 / i64::from(scale) - 128;
    let (x, y) = (place(column), place(row));
    let dot = |x: i64, y: i64| {
        let (x, y) = (usize::try_from(x.max(0)).ok()?, usize::try_from(y.max(0)).ok()?);
        raster.pixel(x, y).map(i64::from)
    };
    let dot = |x, y| dot(x, y).unwrap_or_default();
    let (left, top) = (x.div_euclid(256), y.div_euclid(256));
    let (fx, fy) = (x.rem_euclid(256), y.rem_euclid(256));
    let upper = dot(left, top) * (256 - fx) + dot(left + 1, top) * fx;
    let lower = dot(left, top + 1) * (256 - fx) + dot(left + 1, top + 1) * fx;
    u32::try_from((upper * (256 - fy) + lower * fy) / 65_536).unwrap_or_default()
}
