//! Cards that are drawn here.

use super::*;
use crate::generator::AspectRatio;
use crate::inspect::{ImageKind, inspect};

fn drawing(prompt: &str, shape: AspectRatio, number: u32) -> ImageSpec {
    ImageSpec { prompt: prompt.to_owned(), negative_prompt: String::new(), shape, number }
}

#[test]
fn a_card_is_a_whole_png_of_its_shape_that_says_what_it_is() {
    for shape in [
        AspectRatio::Square,
        AspectRatio::Landscape,
        AspectRatio::Portrait,
        AspectRatio::Wide,
        AspectRatio::Tall,
    ] {
        let picture = card(&drawing("a lighthouse on a cliff at dusk", shape, 0)).unwrap();
        let found = inspect(&picture.bytes).unwrap();
        assert_eq!((found.kind, (found.width, found.height)), (ImageKind::Png, shape.pixels()));
        let label = LABEL.as_bytes();
        assert!(picture.bytes.windows(label.len()).any(|part| part == label));
        let mut reader =
            png::Decoder::new(std::io::Cursor::new(&picture.bytes)).read_info().unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        reader.next_frame(&mut pixels).unwrap();
    }
}

#[test]
fn the_same_prompt_gives_the_same_card_and_another_number_another() {
    let make = |number| card(&drawing("a lighthouse", AspectRatio::Wide, number)).unwrap();
    assert_eq!(make(0), make(0));
    assert_ne!(make(0), make(1));
}

#[test]
fn any_text_can_be_drawn() {
    for prompt in
        ["", "x", "漢字とかな", "a\u{0}b\u{202e}c", &"word ".repeat(2000), &"x".repeat(5000)]
    {
        card(&drawing(prompt, AspectRatio::Tall, 3)).unwrap();
    }
}

#[test]
fn characters_that_the_font_does_not_have_are_told() {
    let note = |prompt: &str| card(&drawing(prompt, AspectRatio::Wide, 0)).unwrap().note;
    for latin in ["a lighthouse, at dusk?", "Zürich im Mai", "Łódź á la carte"] {
        assert_eq!(note(latin), None, "{latin}");
    }
    for (prompt, count) in [("маяк", "4 of 4"), ("a 灯台 at dusk", "2 of 9"), ("tea 🍵", "1 of 4")]
    {
        let told = note(prompt).unwrap();
        assert!(told.starts_with(&format!("{count} characters on the card")), "{told}");
    }
}
