//! Line breaks and marked words.

use super::*;

fn lines(text: &str, matches: &[(usize, usize)], width: usize) -> Vec<String> {
    let ranges = matches.iter().map(|(start, end)| *start..*end);
    let snippet = Snippet { text: text.to_owned(), matches: ranges.collect() };
    let mark = Style::new().bold();
    let lines = wrapped_to(&snippet, "  ", mark, width).into_iter();
    lines.map(|line| line.replace("\u{1b}[1m", "<").replace("\u{1b}[0m", ">")).collect()
}

#[test]
fn lines_end_between_words() {
    assert_eq!(lines("one two three", &[], 9), ["  one two", "  three"]);
    assert_eq!(lines("one two three", &[], 8), ["  one", "  two", "  three"]);
    assert_eq!(lines("unbreakable", &[], 4), ["  unbreakable"]);
    assert_eq!(lines("", &[], 9), Vec::<String>::new());
}

#[test]
fn marks_count_for_nothing_and_stay_within_their_words() {
    assert_eq!(lines("…one two, three", &[(3, 6), (7, 10)], 20), ["  …<one> <two>, three"]);
    assert_eq!(lines("one two", &[(1, 5)], 4), ["  o<ne>", "  <t>wo"]);
    assert_eq!(lines("é", &[(0, 2)], 9), ["  <é>"]);
}

#[test]
fn what_could_steer_a_terminal_is_spelt_out() {
    assert_eq!(lines("a\u{202e}b", &[(0, 1)], 40), ["  <a>\\u{202e}b"]);
}
