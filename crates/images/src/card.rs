//! A generator that needs no service: it draws the prompt as a title on a card, and says on the
//! card that it is one. The same prompt gives the same bytes.

mod canvas;
mod layout;

use aileron_capability::{Answer, CapabilityFault, FaultCode};
use aileron_contract::ContentHash;
use futures_util::FutureExt;

use self::canvas::{Canvas, Colour, has_glyph};
use self::layout::{CardLayout, TextLine};
use crate::generator::{Generator, ImageSpec, UncheckedImage};

const LABEL: &str = "CARD - DRAWN LOCALLY BY AILERON, NO IMAGE MODEL";

/// The same as text, for a person who does not see the card.
const TOLD: &str = "a title card drawn on this machine, not a picture: no image model is set up";

const INK: Colour = Colour(250, 250, 247);
const FAINT: Colour = Colour(214, 219, 227);

/// Draws cards.
#[derive(Debug, Clone, Copy, Default)]
pub struct CardGenerator;

impl Generator for CardGenerator {
    fn name(&self) -> String {
        "built-in card".to_owned()
    }

    fn label(&self) -> Option<String> {
        Some(TOLD.to_owned())
    }

    fn is_free(&self) -> bool {
        true
    }

    fn draw(&self, drawing: ImageSpec) -> Answer<UncheckedImage> {
        async move {
            let drawn = tokio::task::spawn_blocking(move || card(&drawing)).await;
            let broke = |why: String| CapabilityFault::new(FaultCode::Unavailable, why);
            drawn.map_err(|_| broke("the drawing broke off".to_owned()))?.map_err(broke)
        }
        .boxed()
    }
}

/// The card as PNG.
fn card(drawing: &ImageSpec) -> Result<UncheckedImage, String> {
    let (width, height) = drawing.shape.pixels();
    let mut canvas = Canvas::new(width, height);
    let (top, bottom) = palette(&drawing.prompt, drawing.number);
    canvas.gradient(top, bottom);
    let page = CardLayout::new(width, height);
    canvas.rings(page.rings(drawing.number), FAINT);
    canvas.bar(page.accent(), INK);
    let title = page.title(&drawing.prompt);
    for TextLine { text, x, y, scale } in &title {
        canvas.text(text, (*x, *y), *scale, INK);
    }
    let label = page.label(LABEL);
    canvas.text(&label.text, (label.x, label.y), label.scale, FAINT);
    let png = canvas.png(LABEL);
    let bytes = png.map_err(|error| format!("the card cannot be written: {error}"))?;
    Ok(UncheckedImage { bytes, note: missing_glyphs(&title) })
}

/// The note about a title with characters that the font does not have.
fn missing_glyphs(title: &[TextLine]) -> Option<String> {
    let letters = title.iter().flat_map(|line| line.text.chars()).filter(|it| *it != ' ');
    let (drawn, missing): (Vec<char>, Vec<char>) = letters.partition(|letter| has_glyph(*letter));
    let count = drawn.len() + missing.len();
    (!missing.is_empty()).then(|| {
        format!(
            "{} of {count} characters on the card stand as \"?\": its font has Latin letters alone",
            missing.len()
        )
    })
}

/// Two dark colours that go together, chosen by the prompt.
fn palette(prompt: &str, number: u32) -> (Colour, Colour) {
    let hash = ContentHash::of_bytes(format!("{number}\n{prompt}").as_bytes());
    let byte = hash.as_str().get(..2).and_then(|hex| u8::from_str_radix(hex, 16).ok());
    let hue = u32::from(byte.unwrap_or_default()) * 360 / 256;
    (Colour::of_hue(hue, 62), Colour::of_hue((hue + 40) % 360, 26))
}

#[cfg(test)]
#[path = "card_tests.rs"]
mod tests;
