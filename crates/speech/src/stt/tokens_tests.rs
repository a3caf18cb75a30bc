//! The table of tokens.

use super::*;

#[test]
fn the_table_has_all_tokens() {
    assert_eq!(Tokens::shared().0.len(), 32_000);
    assert_eq!(Tokens::shared().0[1], b"<s>");
}

#[test]
fn words_are_joined_and_marks_are_left_out() {
    let find = |text: &str| {
        Tokens::shared().0.iter().position(|token| *token == text.as_bytes()).unwrap() as i32
    };
    let ids = [1, find("\u{2581}the"), find("\u{2581}s"), find("er"), 2];
    assert_eq!(Tokens::shared().text(&ids), "the ser");
    assert_eq!(Tokens::shared().text(&[40_000, -7]), "");
}
