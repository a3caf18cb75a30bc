//! The layout of a card: the title in the middle, as large as it fits, and the label at the foot.
//! Measured in pixels; the font has one width.

use noto_sans_mono_bitmap::{FontWeight, RasterHeight, get_raster_width};

/// The weight and size in which the font comes; other sizes are scaled.
pub(super) const WEIGHT: FontWeight = FontWeight::Bold;
pub(super) const SIZE: RasterHeight = RasterHeight::Size32;

/// Sizes of the title from large to small, in percent of the font's own.
const TITLE_SCALES: [u32; 5] = [300, 240, 190, 150, 110];
const MOST_LINES: usize = 9;

/// A line of text and its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct TextLine {
    pub(super) text: String,
    pub(super) x: u32,
    pub(super) y: u32,
    pub(super) scale: u32,
}

/// The measures of a card.
#[derive(Debug, Clone, Copy)]
pub(super) struct CardLayout {
    width: u32,
    height: u32,
    margin: u32,
}

impl CardLayout {
    pub(super) fn new(width: u32, height: u32) -> Self {
        Self { width, height, margin: width.min(height) / 12 }
    }

    /// A short bar above the title: x, y, width, height.
    pub(super) fn accent(&self) -> (u32, u32, u32, u32) {
        (self.margin, self.margin, self.width / 6, self.height / 120 + 2)
    }

    /// Circles in a corner: the middle, and the radii.
    pub(super) fn rings(&self, number: u32) -> ((u32, u32), Vec<u32>) {
        let side = self.width.min(self.height);
        let right = self.width - self.margin / 2;
        let middle = if number.is_multiple_of(2) { (right, self.height) } else { (right, 0) };
        (middle, (1..=4).map(|ring| side * ring / 9).collect())
    }

    /// The title in the largest size in which all of it fits; past the smallest it is cut.
    pub(super) fn title(&self, text: &str) -> Vec<TextLine> {
        let room = self.height - 4 * self.margin;
        let fitting = TITLE_SCALES.iter().map(|scale| (self.wrapped(text, *scale), *scale));
        let mut fitting = fitting.skip_while(|(lines, scale)| {
            let height =
                u32::try_from(lines.len()).unwrap_or(u32::MAX).saturating_mul(line_height(*scale));
            height > room || lines.len() > MOST_LINES
        });
        let smallest = TITLE_SCALES[TITLE_SCALES.len() - 1];
        let (lines, scale) =
            fitting.next().unwrap_or_else(|| (self.cut(text, smallest, room), smallest));
        let top = 2 * self.margin;
        let place = |(line, text): (u32, String)| TextLine {
            text,
            x: self.margin,
            y: top + line * line_height(scale),
            scale,
        };
        (0..).zip(lines).map(place).collect()
    }

    /// The label, in one line that fits.
    pub(super) fn label(&self, text: &str) -> TextLine {
        let letters = u32::try_from(text.chars().count()).unwrap_or(1).max(1);
        let room = (self.width - 2 * self.margin) * 100;
        let scale = (room / (letters * letter_width(100))).min(70);
        let y = self.height - self.margin - line_height(scale) / 2;
        TextLine { text: text.to_owned(), x: self.margin, y, scale }
    }

    fn wrapped(&self, text: &str, scale: u32) -> Vec<String> {
        let most = ((self.width - 2 * self.margin) / letter_width(scale)).max(1);
        wrap(text, usize::try_from(most).unwrap_or(1))
    }

    fn cut(&self, text: &str, scale: u32, room: u32) -> Vec<String> {
        let mut lines = self.wrapped(text, scale);
        let most = usize::try_from(room / line_height(scale)).unwrap_or(1).clamp(1, MOST_LINES);
        if lines.len() > most {
            lines.truncate(most);
            if let Some(last) = lines.last_mut() {
                last.truncate(last.char_indices().nth_back(2).map_or(0, |(at, _)| at));
                last.push_str("...");
            }
        }
        lines
    }
}

fn letter_width(scale: u32) -> u32 {
    let own = u32::try_from(get_raster_width(WEIGHT, SIZE)).unwrap_or(16);
    (own * scale / 100).max(1)
}

fn line_height(scale: u32) -> u32 {
    (SIZE.val() as u32 * scale * 12 / 1000).max(1)
}

/// Breaks a text at blanks; a word that is too long is broken anywhere.
fn wrap(text: &str, most: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut line = String::new();
    for word in text.split_whitespace() {
        let letters: Vec<char> = word.chars().collect();
        for part in letters.chunks(most) {
            let free = most.saturating_sub(line.chars().count());
            if !line.is_empty() && part.len() + 1 > free {
                lines.push(std::mem::take(&mut line));
            }
            if !line.is_empty() {
                line.push(' ');
            }
            line.extend(part);
        }
    }
    lines.push(line);
    lines
}
