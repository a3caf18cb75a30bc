//! The readable part of a text, by examples.

use super::*;

fn check(written: &str, read: &str) {
    assert_eq!(readable(written), read, "{written}");
}

#[test]
fn citations_and_links_are_not_read_out() {
    check("Refunds take five days [1].", "Refunds take five days.");
    check("Refunds [record:doc:refunds] take days [doc:a#b].", "Refunds take days.");
    check("See [the policy](https://example.com/p?q=1) now.", "See the policy now.");
    check("See https://example.com/a, please.", "See please.");
}

#[test]
fn marks_of_markdown_are_not_read_out() {
    check("# Title\n\n- **bold** and `code`\n- _other_", "Title\nbold and code\nother");
    check(
        "Look:\n```rust\nfn main() {}\n```\nDone.",
        "Look:\nThere is code in the written answer.\nDone.",
    );
    check("| a | b |\n|---|---|\n| 1 | 2 |", "a b\n1 2");
}

#[test]
fn emoji_are_not_read_out() {
    check("Great 🎉 news 👍🏽!", "Great news !");
    check("🙂", "");
}
