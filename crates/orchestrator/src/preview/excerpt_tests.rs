//! Where an excerpt is truncated, and which characters it spells out.

use std::fmt::Write;

use super::*;

#[track_caller]
fn check(most: usize, text: &str, expected: &str) {
    let mut excerpt = Excerpt::new(most);
    let written = excerpt.write_str(text);
    assert_eq!(written.is_err(), excerpt.cut);
    assert_eq!(excerpt.isolated(), expected);
}

#[test]
fn what_fits_is_whole_and_what_does_not_says_so() {
    check(3, "", "");
    check(3, "abc", "abc");
    check(3, "abcd", "ab…");
    check(3, "éèàù", "éè…");
}

#[test]
fn lines_are_one_line() {
    check(9, "a\nb\r\tc\u{2028}d\u{b}", "a b  c d ");
}

#[test]
fn what_is_hidden_is_spelled_out() {
    check(99, "a\u{202e}b", "a<U+202E>b");
    check(99, "\0\u{1b}[2J", "<U+0000><U+001B>[2J");
    check(99, "\u{200b}\u{2066}\u{feff}\u{e0041}", "<U+200B><U+2066><U+FEFF><U+E0041>");
    check(99, "👩\u{200d}🚀 ☎\u{fe0f}", "👩\u{200d}🚀 ☎\u{fe0f}");
}

#[test]
fn right_to_left_is_set_apart() {
    check(99, "שלום", "\u{2068}שלום\u{2069}");
    check(3, "سلام", "\u{2068}سل…\u{2069}");
}
