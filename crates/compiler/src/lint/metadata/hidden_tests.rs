//! Hidden characters, and legitimate ones.

use proptest::prelude::*;

use super::*;

#[track_caller]
fn check(text: &str, expected: &[&str]) {
    let found: Vec<_> = runs(text).into_iter().map(|run| text[run.place].to_owned()).collect();
    assert_eq!(found, expected, "{text:?}");
}

#[test]
fn plain_text_of_any_script_is_fine() {
    check("Zürich, naïve – „quoted“ … 日本語 עברית العربية हिन्दी\t\n", &[]);
}

#[test]
fn zero_width_and_control_characters_are_found() {
    check("a\u{200b}b", &["\u{200b}"]);
    check("a\u{200b}\u{2060}b\u{feff}", &["\u{200b}\u{2060}", "\u{feff}"]);
    check("a\u{1b}[0m", &["\u{1b}"]);
    check("ab\u{ad}cd\u{3164}", &["\u{ad}", "\u{3164}"]);
    check("a\u{85}\u{7f}", &["\u{85}\u{7f}"]);
}

#[test]
fn bidirectional_controls_are_found() {
    check(
        "user\u{202e}txt\u{2066}x\u{2069}\u{200f}",
        &["\u{202e}", "\u{2066}", "\u{2069}\u{200f}"],
    );
}

#[test]
fn emoji_sequences_are_fine() {
    check("👩‍👩‍👧‍👦 ❤️ ❤️‍🔥 👨🏽‍💻 ☎️ 1️⃣ #️⃣ ©️ ✔︎ 🏳️‍🌈", &[]);
    check("🏴󠁧󠁢󠁥󠁮󠁧󠁿 🏴󠁧󠁢󠁳󠁣󠁴󠁿", &[]);
}

#[test]
fn what_only_pretends_to_be_an_emoji_sequence_is_found() {
    check("a\u{fe0f}", &["\u{fe0f}"]);
    check("😀\u{fe0f}\u{fe0f}", &["\u{fe0f}"]);
    check("😀\u{e0100}\u{e0150}", &["\u{e0100}\u{e0150}"]);
    check("😀\u{200d}a", &["\u{200d}"]);
    check("1\u{fe0f}2", &["\u{fe0f}"]);
    let spelled = "🏴\u{e0068}\u{e0069}\u{e007f}";
    check(spelled, &["\u{e0068}\u{e0069}\u{e007f}"]);
}

#[test]
fn joiners_belong_to_the_scripts_that_need_them() {
    check("می\u{200c}خواهم", &[]);
    check("क्\u{200d}ष", &[]);
    check("葛\u{e0100}城", &[]);
    check("葛\u{e0100}\u{e0101}", &["\u{e0101}"]);
    check("a\u{200c}b", &["\u{200c}"]);
}

#[test]
fn tag_characters_spell_what_they_hide() {
    let text: String =
        "hi there".chars().map(|c| char::from_u32(0xe0000 + c as u32).unwrap()).collect();
    let found = runs(&text);
    let spelled: String = found[0].characters.iter().filter_map(|c| tagged(*c)).collect();
    assert_eq!((found.len(), spelled.as_str()), (1, "hi there"));
}

proptest! {
    #[test]
    fn runs_are_places_of_the_text(text in "[\u{200b}-\u{200f}\u{fe0f}\u{e0061}-\u{e007f}😀🏴a1é]{0,40}") {
        for run in runs(&text) {
            prop_assert_eq!(text[run.place].chars().collect::<Vec<_>>(), run.characters);
        }
    }
}
